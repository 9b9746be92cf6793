# The shop is committed in May. On 2 November, Jo changes the code.
commit() {
    GIT_AUTHOR_DATE="$1 12:00:00 +0000" GIT_COMMITTER_DATE="$1 12:00:00 +0000" \
        GIT_AUTHOR_NAME=Jo git commit --quiet --all --message "$2"
}
git init --quiet --initial-branch=main
git add --all
commit 2026-05-30 "shop: first version"
printf '\n\ndef refund_card(card, cents):\n    card.give(cents)\n' >> src/pay.py
printf '\n\ndef orders():\n    return list(ORDERS)\n' >> src/store.py
commit 2026-11-02 "shop: refunds"
