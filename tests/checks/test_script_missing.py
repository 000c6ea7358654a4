from tests.citations.scripted import Files, make_tests

BEFORE: Files = {
    "package.json": '{"scripts": {"seed:dev": "node seed.js", "build": "tsc"}, "devDependencies": {"eslint": "9"}}\n',
    "Makefile": "lint:\n\truff check\n\nold-target: lint\n\techo old\n",
    "pyproject.toml": '[project]\nname = "a"\n\n[project.scripts]\nserve-it = "a:main"\nkeep-it = "a:main"\n',
}
AFTER: Files = {
    "package.json": '{"scripts": {"build": "tsc"}, "devDependencies": {"eslint": "9"}}\n',
    "Makefile": "lint:\n\truff check\n",
    "pyproject.toml": '[project]\nname = "a"\n\n[project.scripts]\nkeep-it = "a:main"\n',
}
REMOVED = "removed in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "Kept: `uv run keep-it`. Never there: `uv run fly`, `poetry run fly`, `python -m fly`.",
    "Kept: `npm run build`, `make lint`.",
    "A program of a dependency: `npm run eslint`, `pnpm eslint`.",
    "Never there: `npm run deploy:moon`, `make moon`.",
    "No manifest of that kind: `rake old-target`.",
    "`npm run seed:dev` was removed.",
    "Never run `npm run seed:dev`.",
    "~~`make old-target`~~",
]

REPORTED = [
    ("Seed with `npm run seed:dev`.", 1, f"npm has no seed:dev: {REMOVED}"),
    ("Seed with `pnpm seed:dev`.", 1, f"pnpm has no seed:dev: {REMOVED}"),
    ("\n```bash\nnpm run seed:dev\n```", 3, f"npm has no seed:dev: {REMOVED}"),
    ("Run `make old-target`.", 1, f"make has no old-target: {REMOVED}"),
    ("Serve with `uv run serve-it`.", 1, f"uv has no serve-it: {REMOVED}"),
]


test_leaves_alone, test_reports = make_tests("script-missing", BEFORE, LEFT_ALONE, REPORTED, AFTER)
