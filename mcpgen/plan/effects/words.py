"""The word lists behind effects and names: what the verbs of API operations do.

English words are listed in their base form (`lemma` finds it); other languages are in `words_foreign`. A word
stands in one list only. A sense that depends on the object ("stop a job", "restore a backup") is decided in
`effects`, with the object lists at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Act(StrEnum):
    """What a verb does to the API's state: the ground from which effect, additive and idempotent follow."""

    READ = "only looks"
    CREATE = "creates something"
    SEND = "sends something"
    LINK = "adds a relation"
    UPDATE = "changes what is there"
    SAVE = "creates or changes"
    TOGGLE = "changes a state that can be put back"
    START = "starts something"
    RENEW = "does its work again each time"
    DESTROY = "removes or ends something"
    ROTATE = "replaces a secret or a whole for good"
    PAYOUT = "gives money or ownership away"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH: dict[Act, frozenset[str]] = {
    Act.READ: _words(
        """
        get list read fetch retrieve find search query show view lookup describe browse check validate         preview estimate simulate introspect inspect peek return obtain explain diff compare count download
        poll ping whoami head options is has can exists enumerate suggest autocomplete
        calculate compute evaluate see display filter lint parse decode tail         stat observe summarize aggregate classify geocode locate look count whois         typeahead predict recommend access iterate info  determine echo wait"""
    ),
    Act.CREATE: _words("""
        create add new insert append make upload import register provision open duplicate copy clone fork generate
        buy purchase order book reserve checkout login signin signup authenticate logon enroll compose draft record
        log track schedule submit comment reply react vote rate upvote downvote allocate issue instantiate spawn
        store ingest enqueue post subscribe crawl capture charge initiate init initialize bootstrap request pay
        exchange mint sign begin setup introduce establish prepare authorize
        authorise raise lodge requeue answer refine file propose nominate """),
    Act.SEND: _words("""
        send resend notify invite publish broadcast push emit dispatch forward deliver message remind announce
        report alert nudge call email mail fax sms dial whisper"""),
    Act.LINK: _words(
        "attach link associate join follow like star share grant favorite favourite bookmark bind"
    ),
    Act.UPDATE: _words(
        """
        update set edit modify change patch put configure rename move assign reassign adjust scale resize upgrade
        downgrade mark replace upsert customize customise alter correct amend extend renew touch reorder sort apply
        approve accept confirm complete finish finalize finalise reject decline deny acknowledge ack transition
        promote demote convert migrate enforce override map reposition relocate settle tune redirect elevate
        delegate tag label rank prioritize prioritise pin adopt claim fulfill fulfil ship receive satisfy vary
        switch annotate encrypt decrypt rewrite reclassify recategorize moderate sanction normalize  resolve match select verify define"""
    ),
    Act.SAVE: _words("save write"),
    Act.TOGGLE: _words("""
        enable disable activate deactivate lock unlock archive unarchive mute unmute hide unhide suspend unsuspend
        resume pause unpause block unblock ban unban unfollow unlike unstar unpin unwatch unfavorite unfavourite
        unbookmark freeze unfreeze undelete reopen reactivate snooze unsnooze unsave unread hold unhold unflag
        flag cordon uncordon drain mount unmount skip halt stop restore close turn shelve unshelve
        reinstate unresolve quarantine isolate unquarantine deprecate undeprecate unpublish"""),
    Act.START: _words("""
        run trigger execute launch invoke deploy redeploy build train play perform process test retry replay rerun
        exec backup export handle operate manage start work proxy cast solve  discover load connect"""),
    Act.RENEW: _words("""
        scan sync synchronize synchronise refresh reload rescan reindex recalculate recompute rebuild restart reboot
        analyze analyse increment decrement toggle bump resync reprocess rebalance optimize optimise index shuffle
        heal repair warm rerender remediate balance"""),
    Act.DESTROY: _words("""
        delete remove destroy purge erase wipe clear empty drop truncate flush prune trash discard cancel terminate
        abort kill revoke void invalidate expire reset logout logoff signout deregister unregister uninstall
        unassign unlink detach disconnect disassociate dissociate unset unbind deauthorize deauthorise deprovision
        decommission evict expel kick leave quit end shutdown merge rollback revert overwrite undeploy rescind
        withdraw forget disown unsubscribe unenroll unshare del rm recycle deallocate forfeit liquidate
        retire nuke cleanup clean disband dissolve exit anonymize anonymise redact retract unmap disenroll untag
        dispose reinstall reinitialize failover dismiss squash obliterate sweep eject poweroff reap
        depublish delist unclaim undo rebase blacklist reclaim burn unfriend release"""),
    Act.ROTATE: _words("rotate regenerate reissue roll rekey recreate reimage"),
    Act.PAYOUT: _words("refund payout transfer disburse wire remit cashout repay chargeback reimburse spend"),
}

VERBS: dict[str, Act] = {word: act for act, words in ENGLISH.items() for word in words}

NOUNS: dict[str, str] = dict(pair.split(":") for pair in """
    deletion:delete removal:remove creation:create addition:add retrieval:retrieve cancellation:cancel
    cancelation:cancel termination:terminate revocation:revoke registration:register activation:activate
    deactivation:deactivate modification:modify validation:validate verification:verify calculation:calculate
    erasure:erase introspection:introspect estimation:estimate rotation:rotate listing:list publication:publish
    unsubscription:unsubscribe invalidation:invalidate regeneration:regenerate archival:archive
    suspension:suspend synchronization:sync synchronisation:sync execution:execute deployment:deploy
    generation:generate evaluation:evaluate simulation:simulate comparison:compare submission:submit
    details:get detail:get information:get assignment:assign unassignment:unassign resolution:resolve eviction:evict
    reversal:rollback purge:purge
    """.split())
"""Nouns that name what an operation does ("webhook deletion"), with their verb."""

NOUNISH = _words("""
    order book report request list record log track comment review test check search query archive backup import
    export transfer release schedule issue post message call draft vote rate tag sign index build copy match map
    head options process view count quote mail email fax sms charge exchange checkout store reserve capture format
    block flag hold start stop end lock pin star like share link file filter scan diff watch stat info play roll
    wire register open close empty new read show find update change reset access mark sort scale load look merge
    touch alert invite refund push return download upload is has can trash retry run ban mute pause exit clean
    spend kick login logout signup ping estimate patch put make sync lint warm label retire squash drop complete
    shutdown failover rollback payout chargeback exec deploy clone fork mount preview set select connect submit
    setup claim rank work proxy sweep burn undo switch ship prepare define cast receive type access deprecate
    snapshot screen echo hold grant author collect favorite favourite bookmark bind shuffle repair index
    balance turn skip limit wait raise propose apply save write convert
    resolve generate render discover process analyze translate identify select collect locate watch detect
    delegate duplicate leave""")
"""Verbs that are as often nouns or adjectives: outside a verb's place they say nothing."""

WEAK = _words(
    "submit post put send perform execute run do make process use request handle issue call start apply"
)
"""Verbs that only carry another word: "run a query", "perform a validation"."""

MODIFIERS = _words("""
    bulk batch batched multi multiple mass force forcibly forced soft hard async asynchronous asynchronously permanently temporarily
    please admin administratively internal public private experimental beta alpha deprecated legacy new v1 v2 v3
    safely silently manually automatically immediately quickly partial partially fully directly explicitly
    irreversibly unconditionally atomically securely optionally also just simply only then first gracefully
    synchronously completely successfully conditionally recursively again dangerously""")
"""Words before a verb that leave its meaning alone."""

SOFT_RELATIONS = _words("""
    star starred like liked follow following favorite favorites favourite favourites bookmark bookmarked pin
    pinned lock locked mute muted archive archived hide hidden watch""")
"""What `DELETE` takes away so that it can simply be put back (labelling rule: soft reversals are writes)."""

JOBS = _words("""
    job jobs run runs task tasks execution executions build builds deployment deployments migration pipeline
    operation operations update upgrade process transfer rollout import export training recording crawl query
    workflow session sessions meeting stream livestream broadcast""")
"""What can't be taken up again once it is stopped."""

WHOLES = _words("""
    backup backups snapshot snapshots system database db cluster factory default defaults dump revision version
    point recovery settings configuration config""")
"""What overwrites everything when it is restored."""

ACCOUNTS = _words("account accounts position positions session sessions connection connections period year")
"""What is ended for good when it is closed."""

MONEY = _words(
    "refund payout transfer withdrawal disbursement chargeback reimbursement payouts refunds transfers withdrawals"
)

CONTENT = _words("file files content contents attachment attachments document blob image photo binary")

PEOPLE = _words("""
    user users member members assistant assistants follower followers collaborator collaborators watcher watchers
    assignee assignees reviewer reviewers participant participants owner owners admin admins manager managers
    moderator moderators guest guests""")
MEMBERS = PEOPLE | _words("""
    role roles permission permissions label labels tag tags group groups team teams setting field fields project
    category categories channel playlist collection relationship dependency dependencies resource resources
    policy policies scope scopes right rights reaction""")
"""What is put into a set rather than created: adding it again adds nothing."""

READ_NOUNS = _words("""
    query search validation check evaluation preview lookup verification calculation introspection comparison
    estimate estimation count diff inspection""")
"""Objects that turn a weak verb into a read: "run a query"."""

STATES = _words("status state summary history details detail info statistics stats result results noop none")
"""Values of an action argument that only look, though they are no verbs."""

ECHOES = _words("get post put patch delete head options")
CREDENTIALS = _words("key keys token tokens secret secrets credential credentials apikey certificate")


def lemma(word: str) -> str:
    """The base form of an English word, if it is a verb we know (`deletes`, `deleting`); else the word itself."""
    if word in VERBS:
        return word
    stems = [
        word[: -len(tail)] + new
        for tail, new in _ENDINGS
        if word.endswith(tail) and len(word) > len(tail) + 2
    ]
    return next((stem for stem in stems if stem in VERBS), word)


def is_verb(word: str) -> bool:
    """Whether a word of a name can be its verb."""
    return word in VERBS


_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("es", "e"),
    ("ting", "t"),
    ("ing", ""),
    ("ing", "e"),
    ("ling", "l"),
)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb as it was found: the word, what it does, the words after it, whether it stands where a verb must."""

    word: str
    act: Act
    after: tuple[str, ...] = ()
    leading: bool = True

    @property
    def clear(self) -> bool:
        """Whether the word can hardly be anything but a verb."""
        return self.word not in NOUNISH
