"""The only speakers of forge APIs: pull requests at GitHub, Gitea, Forgejo and GitLab behind one protocol."""
