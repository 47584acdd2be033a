"""The words that the check of a summary understands: operators, units, outcomes, and words that claim nothing."""

from __future__ import annotations

from functools import lru_cache

from mcpcompact.patterns import regex

_ENDS = regex(r"(?:ations?|ings?|ed|ure|es|s|ly|er)\Z")
_ENDED, _ROOT = 4, 3  # letters from which a word may have an ending, as ``goes``, and that its stem keeps


@lru_cache(50_000)
def stem(word: str) -> str:
    """A lower-case word without its ending: ``failures``, ``failed`` and ``fails`` are ``fail``."""
    if len(word) < _ENDED or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > _ENDED:
        return word[:-3] + "y"
    for _ in range(2):
        cut = _ENDS.sub("", word)
        if len(cut) < _ROOT or cut == word or word.endswith("ss"):
            break
        word = cut
    if len(word) > _ENDED and word[-1] == word[-2] and word[-1] not in "se":
        word = word[:-1]
    if len(word) > _ENDED and word[-1] == "e":
        return word[:-1]
    return "deliver" if word == "delivery" else word


def listed(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def _table(text: str) -> dict[str, str]:
    """``kind: words`` lines as word → kind."""
    lines = (line.split(":", 1) for line in text.strip().splitlines())
    return {word: kind.strip() for kind, words in lines for word in words.split()}


OPERATORS = _table("""
    not: not never didn't doesn't don't wasn't weren't isn't aren't hasn't haven't hadn't cannot can't won't couldn't
    not: neither nor without lacks lack lacked lacking absent missing
    none: no none nobody nothing zero
    all: all every each everything always entire entirely everyone throughout any
    both: both
    only: only sole solely exclusively alone just
    most: most majority mostly mainly
    mean: mean average averaged averages averaging avg averagely
    median: median
    sum: sum total totals totalled totaled totalling totaling combined altogether together overall aggregate cumulative
    share: share percentage proportion fraction
    cause: because due caused causes cause causing owing thanks led leads triggered attributed attributable reason
    cause: reasons blame blamed explained explains resulted resulting stemmed stems root consequence why owed
    before: before prior preceded precedes until earlier preceding ahead
    after: after later followed follows following subsequent subsequently once afterwards
    same: same equal equals identical equally alike
    differ: different distinct unique various differing differs differ separate
    than: than exceeds exceeded exceeding above over below under beyond exceed
    range: range ranges ranged ranging span spans spanned spanning between from
    doubt: probably likely possibly may might could should would will suggests suggest suggesting indicates indicate
    doubt: indicating appears appear appeared seems seem seemed expect expected plan planned must shall unlikely perhaps
    doubt: maybe presumably apparently recommend recommended implies imply implying
""")

EXTREMES = _table("""
    high any: highest maximum max peak top greatest topmost peaked
    low any: lowest minimum min least bottom smallest fewest
    high size: largest biggest
    high time: longest slowest
    low time: shortest fastest quickest
    high weight: heaviest
    low weight: lightest
    high money: priciest costliest dearest
    low money: cheapest
    high date: latest newest last youngest
    low date: earliest oldest first
    high temperature: hottest warmest
    low temperature: coldest coolest
    high distance: farthest furthest
    low distance: nearest closest
    high load: busiest
""")
COMPARATIVES = _table("""
    high any: higher more greater exceeds exceeded exceeding above over exceed beyond
    low any: lower less fewer smaller below under
    high size: larger bigger
    high time: longer slower
    low time: shorter faster quicker sooner
    high weight: heavier
    low weight: lighter
    high money: costlier pricier dearer
    low money: cheaper
    high date: later newer younger after following
    low date: earlier older before prior preceded
    high temperature: hotter warmer
    low temperature: colder cooler
    high distance: farther further
    high load: busier
""")
CLASSES = _table("""
    time: duration time took take takes taking last lasted lasts lasting elapsed runtime latency seconds minutes hours
    time: long ran response wait waited ms sec secs second minute hour delay uptime runtimes slow fast elapse days day
    time: delayed
    size: size big large bytes byte mb gb kb mib gib kib transferred volume holds
    weight: weight weigh weighs weighed heavy kg mass
    money: price amount cost costs costed total value sum revenue paid worth eur usd gbp billed charged net gross
    money: amounted amounts balance invoiced expensive
    date: date created creation started opened ended closed timestamp departed arrived begun began due issued day
    date: updated
    temperature: temperature hot cold warm
    distance: distance km long far
    load: load cpu usage utilization used uses using utilisation memory mem disk
    count: count number
""")
"""Words of a sentence, and of field names, and what they measure."""

ALIKE = {
    stem(word): kind
    for word, kind in _table("""
    ~plus: plus added additions insertions inserted gained
    ~minus: minus removed removals deleted deletions lost
""").items()
}
"""Stems of words that name the same field: the added lines of a diff."""

UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _factors in {
    "time": "secs=1 msec=1e-3 ns=1e-9 us=1e-6 µs=1e-6 ms=1e-3 millis=1e-3 millisecond=1e-3 "
    "s=1 sec=1 second=1 min=60 mins=60 minute=60 "
    "h=3600 hr=3600 hrs=3600 hour=3600 d=86400 day=86400 week=604800",
    "bytes": "b=1 byte=1 kb=1e3 k=1e3 mb=1e6 gb=1e9 tb=1e12 kib=1024 mib=1048576 gib=1073741824 tib=1099511627776 "
    "kilobyte=1e3 megabyte=1e6 gigabyte=1e9 terabyte=1e12",
    "weight": "mg=1e-6 g=1e-3 gram=1e-3 kg=1 kilo=1 kilogram=1 t=1000 ton=1000 tonne=1000 lb=0.45359237 "
    "pound=0.45359237",
    "length": "mm=1e-3 cm=1e-2 m=1 metre=1 meter=1 km=1e3 kilometre=1e3 kilometer=1e3 mile=1609.344 mi=1609.344 "
    "nm=1852",
    "share": "%=1 percent=1 pct=1 per_cent=1",
    "celsius": "c=1 °c=1 celsius=1 degc=1",
    "fahrenheit": "f=1 °f=1 fahrenheit=1",
    "frequency": "hz=1 khz=1e3 mhz=1e6 ghz=1e9",
    "eur": "eur=1 €=1 euro=1 cents=0.01 cent=0.01",
    "usd": "usd=1 $=1 dollar=1",
    "gbp": "gbp=1 £=1",
    "chf": "chf=1 franc=1",
    "volume": "ml=1e-3 l=1 litre=1 liter=1 ul=1e-6 dl=0.1",
    "bases": "bp=1 kbp=1e3 mbp=1e6",
    "concentration": "ng/ul=1 ug/ml=1 ug/ul=1e3 mg/ml=1e3 mg/l=1 ug/l=1e-3",
    "molar": "nm/l=1e-9 mmol/l=1e-3 umol/l=1e-6 mol/l=1 mm/l=1e-3",
    "rpm": "rpm=1", "volt": "v=1 mv=1e-3", "watt": "w=1 kw=1e3", "energy": "wh=1 kwh=1e3 mwh=1e6",
    "speed": "km/h=1 kmh=1 kph=1 mph=1.609344 kn=1.852 kt=1.852 knot=1.852", "decibel": "db=1", "ppm": "ppm=1",
    "rate": "b/s=1 kb/s=1e3 mb/s=1e6 gb/s=1e9 mib/s=1048576", "bits": "kbps=1e3 mbps=1e6 gbps=1e9 mbit/s=1e6",
    "requests": "rps=1 req/s=1 requests/s=1 qps=1", "pixel": "px=1", "pressure": "hpa=1 mbar=1 bar=1000 psi=68.9476",
}.items():  # fmt: skip
    UNITS |= {(_pair := _one.split("="))[0]: (_dimension, float(_pair[1])) for _one in _factors.split()}
UNITS |= {f"{_name}s": _unit for _name, _unit in list(UNITS.items()) if len(_name) >= _ENDED}
CURRENCIES = listed("eur usd gbp chf € $ £ euros dollars")


def unit(text: str) -> str:
    """A unit as ``UNITS`` spells it; other text as it is."""
    text = text.lower().replace("µ", "u").replace("μ", "u")
    joined = text.replace("_per_", "/").replace("_", "/")
    return joined if joined in UNITS else text


OUTCOMES = _table("""
    good: success succeeded succeed succeeds successful successfully ok okay pass passed passes passing completed
    good: complete completes done finished green succeeding
    bad: failed fail fails failing failure failures error errors errored broken crashed red unsuccessful
    cancelled: cancelled canceled cancel aborted abort
    skipped: skipped skip skips ignored
    pending: pending queued waiting unstarted outstanding
    running: running in_progress progress ongoing
    delivered: delivered deliver arrived arrive
    resolved: resolved closed fixed solved
    open: open opened unresolved new reopened
    lost: lost missing
    delayed: delayed late overdue
    punctual: on_time punctual ontime on-time
    returned: returned refunded
    paid: paid settled
    unpaid: unpaid due
    up: up healthy online alive reachable
    down: down unhealthy offline dead unreachable
    enabled: enabled active activated
    disabled: disabled inactive deactivated suspended blocked
    verified: verified validated valid
    invalid: invalid corrupt corrupted unverified
    warning: warning warn warnings degraded
    rolledback: rolled_back rollback rolledback reverted
    rejected: rejected denied declined refused
    accepted: accepted approved
    timeout: timeout timedout timed_out
    shipped: shipped dispatched
    transit: in_transit transit underway
""")
"""A word of an outcome → its group. Statuses of one group say the same."""

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
NUMBERS = {word: n for n, word in enumerate(_NUMBERS.split())}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = {name: n for n, month in enumerate(_MONTHS.split(), 1) for name in (month, month[:3])} | {"sept": 9}
ABOUT = listed("about around roughly approximately nearly almost ~ ≈ circa approx some")

FUNCTION = listed("""the a an of in on at to is it its by as or be and for with this that these those from are was were
    has have had been being do does did done i we you he she they them their there here which who whom whose what when
    where while whereas but also too both into onto out up per via than then so if though although however respectively
    such other others another one ones itself themselves e.g i.e etc vs within across among amongst along during against
    upon about through between versus compared comparison instead rather yet still even well since either and/or plus
    according utc gmt am pm o'clock local ca""")
"""Words that hold a sentence together."""

REPORTING = listed("""output result results returned return returns listing list lists listed show shows showed shown
    contain contains contained include includes included including record records recorded entry entries row rows item
    items line lines field fields value values data dataset file source table log logs response report reports reported
    reporting document text total number count counts counted amount amounts figure figures came come comes coming went
    go goes got get gets stood stand stands reach reached reaches reaching measured measure measures reading readings
    say says said tell tells told give gives gave given giving name names named called find finds found finding note
    notable noted summary summarise overview detail details follow state states stated status outcome ended end ends
    ending begin begins began start starts started took take takes taken lasted last run runs ran running use uses used
    using make makes made hold holds held belong belongs belonged belonging account accounts accounted accounting up
    consist consists order case cases instance instances time times way part parts kind kinds type types group groups
    set sets whole amounted totals equal equals sits sit lies lie remain remains remained remaining rest see seen appear
    registered register logged observed happen happened happens occurred occur occurs available present exists exist
    existed marked mark hit hits had having put out worth high low long short big small large heavy light old new early
    late much many few several common frequent often frequently again overall general particular especially respectively
    first second third next previous more fewer less least highest lowest top accordingly different respective against
    concerning regarding relevant same also key main important roughly approximately about around exactly precisely
    nearly almost value's per assigned attached associated linked tied related together handled handle processed process
    performed period point level levels event events job jobs message messages thing things object objects element
    elements page sent received receive tool call command query search tested test tests checked check checks work works
    weighs weighed weigh cost costs costing priced span spans spanned spanning covers cover covered covering stretch
    range ranges ranged rank ranks ranked compared compare single individual whose turn turned turns keep kept keeps
    rated amongst altogether entirety it's that's exact actual actually indeed simply namely thus hence therefore
    distribution breakdown split date dates day days year month hour ago on-time dated moment timestamp rose fell stayed
    stays stay left leave leaves arrives do own owned owner per-record based look looks looked across entire
    complete full fully in-source of-note pass gathered collected collect captured computed compute calculated calculate
    average yields yield yielded spent spends spend required requires require needed need needs saw sees carry carries
    carried bear bears bore mention mentions mentioned describes describe described refers refer""")
"""Words that report without a claim of their own."""
REPORTING_STEMS = frozenset(map(stem, REPORTING))
PLAIN = FUNCTION | REPORTING
