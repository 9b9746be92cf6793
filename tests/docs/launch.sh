# A clone of a shared repository: `sync` has a place to push to.
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message "shop: carts and tokens"
git init --quiet --bare "$HOME/shared.git"
git remote add origin "$HOME/shared.git"
git push --quiet --set-upstream origin main
