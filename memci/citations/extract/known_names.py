"""Known names: they distinguish a path from a word, and a repository's own names from common ones."""

from memci.prose.fold import word_set

EXTENSIONS = word_set(
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro go rs rb erb rake php java kt kts scala groovy"
    " gradle swift mm m cs csproj sln fs fsx vb cpp cc cxx c h hpp hh hxx zig dart ex exs heex erl hrl hs ml mli clj"
    " cljs lua pl pm jl r gd tscn nim cr d sol proto graphql gql prisma sql sh bash zsh fish ps1 psm1 bat html htm"
    " css scss sass less styl md mdx mdc rst adoc txt json json5 jsonc jsonl yml yaml toml ini cfg conf env xml xaml"
    " resx plist storyboard properties tf tfvars hcl nix cmake mk bzl lock mod sum csv tsv svg png jpg jpeg gif webp"
    " ico woff2 ttf pdf wasm snap tmpl tpl j2 hbs ejs pug njk liquid example sample template dist-info service"
    " socket timer rules uproject uplugin uasset umap wgsl glsl hlsl vert frag shader cu asm s patch diff po pot arb"
    " xcconfig pbxproj podspec gemspec cabal lhs elm purs feature http rego cue dhall vcl pem crt key zip tar gz whl"
    " jar log pid db sqlite sqlite3 parquet pkl onnx xlsx docx"
)
# Without back-ticks only these are unmistakable; `report.key` and `user.log` are not.
CODE_EXTENSIONS = EXTENSIONS - word_set(
    "m d r s key log rules service socket timer feature http cue mod sum example sample template env pid db cr vert"
    " frag ex gd pl gz po"
)
FILES = word_set(
    "Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Procfile Gemfile Rakefile Podfile"
    " Brewfile Fastfile Caddyfile Tiltfile Earthfile justfile Justfile Taskfile BUILD WORKSPACE CMakeLists.txt"
    " LICENSE NOTICE CODEOWNERS CHANGELOG README AUTHORS VERSION Pipfile .gitignore .gitattributes .gitmodules"
    " .dockerignore .editorconfig .npmrc .nvmrc .prettierrc .eslintrc .babelrc .env .envrc .tool-versions"
    " .python-version .node-version .ruby-version .flake8 .pylintrc .coveragerc .rspec .rubocop.yml .mailmap"
    " .prettierignore .eslintignore .stylelintrc .clang-format"
)
# `Node.js` is no file.
PRODUCTS = word_set(
    "node next vue nuxt express three d3 chart react backbone ember angular moment alpine socket p5 discord nest"
    " solid day require knockout handlebars mustache underscore lodash ext asp meteor sails koa hapi fastify pdf"
    " tensorflow transformers paper pixi babylon matter anime highlight prism web3 ethers bignumber bull video"
    " plotly leaflet deck cytoscape vis sigma fabric konva phaser electron gatsby remix"
)

# Parts of a path that are placeholders.
PLACEHOLDERS = word_set(
    "foo bar baz qux foobar placeholder yourfile myfile filename somefile your my some component componentname"
    " mycomponent modulename classname dir folder xxx nnn name whatever anything something thing file.ext page-name"
    " module_name file_name your_module my_module test_module feature_name featurename yourcomponent newcomponent"
)
EXAMPLE_FILES = word_set("py js ts tsx jsx go rs rb java cs cpp php kt swift sh md")

# First parts of a path that make it a branch, a media type or a package of others.
NOT_DIRECTORIES = word_set(
    "origin upstream feature feat fix bugfix hotfix chore refs heads remotes application text image audio video"
    " font multipart dependabot renovate and or"
)
HOST_ENDINGS = word_set("com org io net dev app ai co in me sh gg cloud edu gov site xyz so us uk de")

# Written like symbols, but names of products, or of the languages themselves.
COMMON_SYMBOLS = word_set(
    "TypeScript JavaScript GitHub GitLab PostgreSQL MySQL SQLite MongoDB OpenAI YouTube LinkedIn DevOps PowerShell"
    " FastAPI GraphQL WebSocket WebSockets WebAssembly macOS iOS iPadOS iPhone tvOS watchOS NixOS CircleCI BitBucket"
    " PyPI PyTorch TensorFlow NumPy SciPy OAuth OpenID OpenAPI DynamoDB CloudFront CloudWatch BigQuery ClickHouse"
    " RabbitMQ LaTeX WordPress TailwindCSS NextJS NodeJS VueJS ReactJS NestJS ExpressJS AngularJS jQuery McDonald"
    " JetBrains IntelliJ VSCode AppStore CamelCase camelCase PascalCase snake_case UpperCamelCase lowerCamelCase"
    " kebab_case SCREAMING_SNAKE_CASE UPPER_SNAKE_CASE x86_64 amd64 arm64 utf_8 ComponentName MyComponent myFunction"
    " FooBar fooBar foo_bar my_function some_function my_var SomeClass MyClass someFunction functionName"
    " variableName className moduleName YourComponent DisplayName"
)
KEYWORDS = word_set(
    "if for while switch catch return print len range str int float bool list dict set tuple super typeof sizeof"
    " require import export function func def fn class new delete await async yield lambda map filter reduce foo bar"
    " baz var let static_cast dynamic_cast reinterpret_cast const_cast static_assert isinstance const void null nil"
    " none true false self this assert panic recover append make cap copy sum min max abs any all open input type id"
    " log echo exit cd ls console object string number"
)
ENVIRONMENT_PLACEHOLDERS = ("YOUR_", "MY_", "SOME_", "FOO_", "BAR_", "EXAMPLE_", "YYYY", "XXX", "X_", "NNN")
CSS_HINTS = ("var(--", "css", "custom propert", "design token", ":root", "tailwind", "oklch", "hsl(", "stylesheet")
CSS_PREFIXES = (
    "--color-", "--font-", "--radius", "--bg-", "--spacing", "--shadow", "--text-", "--border-", "--tw-", "--primary",
    "--accent", "--muted", "--foreground", "--background",
)  # fmt: skip
