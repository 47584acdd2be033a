"""What secrets look like that say so themselves: a rule a kind, each gated by a literal that every match holds.

The formats are those the issuers document (prefixes exist so that leaks are found). ``A`` and ``T`` below stand
for the two usual alphabets. A literal is searched first, at memory speed; the pattern is tried at its hits only.
"""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpcompact.errors import ConfigError
from mcpcompact.patterns import regex

WINDOW = 512  # bytes behind a literal's hit that a pattern may look at
BEHIND = 104  # bytes before a hit that a pattern may look at: as far as the longest of our own reaches back

EDGE = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u00[0-9a-fA-F]{2})|(?<=%[0-9A-F]{2})|(?<=\[\dm)|(?<=[\[;]\d\dm))"
"""Where a token may begin: not within a word, but behind ``\\n``, ``\\u003d``, ``%3D`` and a colour's escape."""


@dataclass(slots=True, frozen=True)
class Rule:
    """One kind of secret. ``name`` stands in the placeholder.

    ``pattern`` matches at a hit of one of ``literals`` (``inside``: anywhere around it, at most ``BEHIND`` bytes
    before); its group 1, else all of it, is the secret. ``entropy``: the least bits a byte (0: any).
    ``mixed``: must have the look of chance, for prefixes that ordinary words begin with.
    """

    name: str
    literals: tuple[bytes, ...]
    pattern: re.Pattern[bytes]
    inside: bool = False
    entropy: float = 0.0
    mixed: bool = False


def rule(name: str, pattern: str, literals: Sequence[str] = (), *, entropy: float = 0.0) -> Rule:
    """A rule of one's own: ``literals`` are case-sensitive, one of them must stand in every match (none: slower).

    A match is at most 512 bytes long and begins at most 104 bytes before the literal. Raises ``ConfigError``.
    """
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        raise ConfigError(f"mask rule '{name}': not a name", hint="use lower case letters, digits and hyphens")
    if not all(literals):
        raise ConfigError(f"mask rule '{name}': an empty literal", hint="name a text that stands in every match")
    try:
        compiled = re.compile(pattern.encode())
    except (re.error, OverflowError) as error:
        raise ConfigError(f"mask rule '{name}': not a regular expression: {error}") from None
    if compiled.match(b""):
        raise ConfigError(f"mask rule '{name}': the expression matches nothing at all", hint="let it match something")
    return Rule(name, tuple(literal.encode() for literal in literals), compiled, True, entropy)


def rules_of(entries: Sequence[Mapping[str, Any]]) -> list[Rule]:
    """Rules from a configuration that was checked: ``name``, ``pattern``, ``literals`` and, if wanted, ``entropy``."""
    try:
        return [rule(**entry) for entry in entries]
    except (TypeError, AttributeError) as error:
        raise ConfigError(f"masking.rules: {error}") from None


_TABLE = r"""
aws-access-key       AKIA ASIA ABIA ACCA      A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])
aws-bedrock-key      ABSKQmVkcm9ja0FQSUtleS   ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{60,}={0,2}
google-api-key       AIza                     AIza[\w-]{30,45}
google-client-secret GOCSPX-                  GOCSPX-[\w-]{20,}
google-oauth-token   ya29.                    ya29\.[\w-]{20,}(?:\.[\w-]+)*
google-refresh-token 1//0                     1//0[\w-]{30,}
firebase-token       APA91b                   APA91b[\w-]{60,}
alibaba-access-key   LTAI                     LTAI[A-Za-z0-9]{16,26}(?![A-Za-z0-9])
tencent-secret-id    AKID                     AKID[A-Za-z0-9]{28,}
digitalocean-token   dop_v1_ doo_v1_ dor_v1_  do[opr]_v1_[0-9a-f]{32,}
github-token         ghp_ gho_ ghu_ ghs_ ghr_ gh[pousr]_[A-Za-z0-9]{30,}
github-token         github_pat_              github_pat_\w{22,}
gitlab-token         glpat- glrt- glptt- glcbt- gldt- gloas- glsoat- glft- glimt- glagent- gl(?:pat|rt|ptt|cbt|dt|oas|soat|ft|imt|agent)-[\w-]{16,}(?:\.[\w.-]+)?
gitlab-token         GR1348941                GR1348941[\w-]{16,}
bitbucket-token      ATBB                     ATBB[\w-]{16}[\w=-]{8,}
atlassian-token      ATATT3 ATCTT3            AT[AC]TT3[\w-]{12}[\w=-]{12,}
slack-token          xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd-  xox[abceoprsd]-[\w-]{12,}[\w%-]*
slack-token          xoxe.xox                 xoxe\.xox[bp]-[\w-]{16,}
slack-token          xapp-                    xapp-\d-[\w-]{16,}
discord-webhook      webhooks/                webhooks/\d{17,20}/([\w-]{40,})
discord-webhook      webhooks\/               webhooks\\/\d{17,20}\\/([\w-]{40,})
teams-webhook        webhookb2/               webhookb2/([\w-]{16}[\w@/-]{34,})
stripe-key           sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_  [sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}
anthropic-key        sk-ant-                  sk-ant-[\w-]{20,}
openrouter-key       sk-or-                   sk-or-[\w-]{20,}
openai-key           sk-proj- sk-svcacct- sk-admin- sk-None-  sk-(?:proj|svcacct|admin|None)-[\w-]{20,}
huggingface-token    hf_                      hf_[A-Za-z0-9]{26,}
huggingface-token    api_org_                 api_org_[A-Za-z0-9]{26,}
replicate-token      r8_                      r8_[A-Za-z0-9]{30,}
groq-key             gsk_                     gsk_[A-Za-z0-9]{30,}
perplexity-key       pplx-                    pplx-[A-Za-z0-9]{30,}
xai-key              xai-                     xai-[A-Za-z0-9]{60,}
nvidia-key           nvapi-                   nvapi-[\w-]{30,}
tavily-key           tvly-                    tvly-[\w-]{24,}
pinecone-key         pcsk_                    pcsk_[\w-]{30,}
langsmith-key        lsv2_pt_ lsv2_sk_        lsv2_[ps][tk]_[\w-]{30,}
npm-token            npm_                     npm_[A-Za-z0-9]{30,}
pypi-token           pypi-Ag                  pypi-Ag[\w-]{30,}
rubygems-key         rubygems_                rubygems_[0-9a-f]{30,}
nuget-key            oy2                      oy2[a-z0-9]{43}(?![A-Za-z0-9])
crates-token         cio                      cio[A-Za-z0-9]{32}(?![A-Za-z0-9_-])
clojars-token        CLOJARS_                 CLOJARS_[A-Za-z0-9]{40,}
docker-token         dckr_pat_ dckr_oat_      dckr_[po]at_[\w-]{20,}
twilio-key           SK                       SK[0-9a-f]{32}(?![A-Za-z0-9])
twilio-account       AC                       AC[0-9a-f]{32}(?![A-Za-z0-9])
sendgrid-key         SG.                      SG\.[\w-]{16,}\.[\w-]{16,}
vercel-token         vercel_blob_rw_          vercel_blob_rw_[A-Za-z0-9]{8,}_[A-Za-z0-9]{16,}
twitter-bearer       AAAAAAAAAAAAAAAAAA       A{18,24}[A-Za-z0-9%+/]{20,80}(?:%3D|=)[A-Za-z0-9%]{30,}
mailgun-key          key-                     key-[0-9a-f]{32}(?![A-Za-z0-9])
brevo-key            xkeysib- xsmtpsib-       x(?:key|smtp)sib-[0-9a-f]{40,}-[A-Za-z0-9]{10,}
newrelic-key         NRAK- NRII- NRJS- NRRA-  NR(?:AK|II|JS|RA)-[A-Za-z0-9-]{16,}
grafana-token        glsa_                    glsa_[A-Za-z0-9]{20,}(?:_[0-9a-f]{8})?
grafana-token        eyJrIjoi                 eyJrIjoi[A-Za-z0-9+/]{40,}={0,2}
heroku-key           HRKU-                    HRKU-[\w-]{30,}
cloudflare-token     v1.0-                    v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}
linear-key           lin_api_ lin_oauth_      lin_(?:api|oauth)_[A-Za-z0-9]{30,}
notion-token         ntn_                     ntn_[A-Za-z0-9]{30,}
notion-token         secret_                  secret_[A-Za-z0-9]{40,}
figma-token          figd_ figo_ figu_        fig[dou]_[\w-]{30,}
shopify-token        shpat_ shpss_ shpca_ shppa_  shp(?:at|ss|ca|pa)_[0-9a-fA-F]{30,}
square-token         sq0atp- sq0csp- sq0idp-  sq0[a-z]{3}-[\w-]{20,}
plaid-token          access-sandbox- access-development- access-production-  access-[a-z]+-[0-9a-f]{8}-[0-9a-f-]{27}
dropbox-token        sl.                      sl\.(?:u\.)?[\w-]{60,}
vault-token          hvs. hvb. hvr.           hv[sbr]\.[\w-]{20,}
doppler-token        dp.pt. dp.st. dp.ct. dp.sa.  dp\.[a-z]{2}\.(?:[\w-]{1,32}\.)?[A-Za-z0-9]{36,}
pulumi-token         pul-                     pul-[0-9a-f]{36,}
databricks-token     dapi                     dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])
supabase-key         sbp_                     sbp_[0-9a-f]{36,}
supabase-key         sb_secret_               sb_secret_[\w-]{20,}
neon-key             napi_                    napi_[a-z0-9]{40,}
netlify-token        nfp_                     nfp_[A-Za-z0-9]{30,}
tailscale-key        tskey-                   tskey-[\w-]{16,}
age-secret-key       AGE-SECRET-KEY-1         AGE-SECRET-KEY-1[A-Z0-9]{50,}
postman-key          PMAK-                    PMAK-[0-9a-f]{24}-[0-9a-f]{30,}
dynatrace-token      dt0                      dt0[a-z]\d\d\.[A-Z0-9]{20,}(?:\.[A-Z0-9]{40,})?
launchdarkly-key     sdk- api- mob-           (?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
hubspot-token        pat-na pat-eu            pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f-]{27}
easypost-key         EZAK EZTK                EZ[AT]K[A-Za-z0-9]{50,}
flutterwave-key      FLWSECK                  FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?
prefect-key          pnu_ pnb_                pn[ub]_[A-Za-z0-9]{30,}
typeform-token       tfp_                     tfp_[\w-]{16}[\w.=-]{24,}
planetscale-token    pscale_                  pscale_(?:tkn|pw|oauth)_[\w-]{8}[\w=.-]{20,}
readme-key           rdme_                    rdme_[a-z0-9]{60,}
shippo-token         shippo_                  shippo_(?:live|test)_[0-9a-f]{36,}
onepassword-token    ops_eyJ                  ops_eyJ[\w-]{13}[\w+/=-]{40,}
infracost-key        ico-                     ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])
contentful-token     CFPAT-                   CFPAT-[\w-]{40,}
buildkite-token      bkua_                    bkua_[0-9a-f]{36,}
circleci-token       CCIPAT_                  CCIPAT_\w{36,}
sonar-token          squ_ sqp_ sqa_           sq[upa]_[0-9a-f]{36,}
jfrog-token          AKCp                     AKCp[A-Za-z0-9]{60,}
jfrog-token          cmVmdGtu                 cmVmdGtu[A-Za-z0-9]{40,}
sourcegraph-token    sgp_                     sgp_[0-9a-f_]{36,}
adafruit-key         aio_                     aio_[A-Za-z0-9]{28}(?![A-Za-z0-9])
mapbox-token         sk.eyJ tk.eyJ            [st]k\.eyJ[\w-]{16,}\.[\w-]{16,}
jwt                  eyJ                      eyJ[\w-]{13,}\.eyJ[\w-]{13,}(?:\.[\w-]*)?
jwt                  eyJ                      eyJ[\w-]{16,}(?:\.[\w-]*){4}
"""

_HASHES = r"""
password-hash        $2a$ $2b$ $2y$ $2a\$ $2b\$ $2y\$  @$2[abxy]@$\d\d@$[./A-Za-z0-9]{53}(?![A-Za-z0-9])
password-hash        $apr1$ $apr1\$           @$apr1@$[./A-Za-z0-9]{1,8}@$[./A-Za-z0-9]{22}(?![A-Za-z0-9])
password-hash        $1$ $1\$                 @$1@$[./A-Za-z0-9]{1,8}@$[./A-Za-z0-9]{22}(?![A-Za-z0-9])
password-hash        $5$ $6$ $5\$ $6\$        @$[56]@$(?:rounds=\d{1,9}@$)?[./A-Za-z0-9]{1,16}@$[./A-Za-z0-9]{43,86}(?![A-Za-z0-9])
password-hash        $y$ $7$ $gy$ $y\$ $7\$   @$(?:g?y|7)@$[./A-Za-z0-9]{1,32}@$[./A-Za-z0-9]{1,86}@$[./A-Za-z0-9]{43}(?![A-Za-z0-9])
password-hash        $argon2                  @$argon2(?:id|i|d)@$(?:v=\d+@$)?[a-z0-9=,]{5,40}@$[A-Za-z0-9+/]{8,}@$[A-Za-z0-9+/]{16,}={0,2}
password-hash        $P$ $H$                  @$[PH]@$[./A-Za-z0-9]{31}(?![A-Za-z0-9])
password-hash        $S$                      @$S@$[./A-Za-z0-9]{52}(?![A-Za-z0-9])
password-hash        pbkdf2_sha               pbkdf2_sha(?:1|256|512)@$\d+@$[A-Za-z0-9]{4,}@$[A-Za-z0-9+/]{20,}={0,2}
password-hash        pbkdf2:sha               pbkdf2:sha\d+:\d+@$[A-Za-z0-9]{4,}@$[0-9a-f]{40,}
password-hash        scrypt:                  scrypt:\d+:\d+:\d+@$[A-Za-z0-9]{4,}@$[0-9a-f]{40,}
password-hash        {SSHA                    \{SSHA(?:256|512)?\}[A-Za-z0-9+/]{28,}={0,2}
password-hash        {SHA}                    \{SHA\}[A-Za-z0-9+/]{27}=
password-hash        SCRAM-SHA-               SCRAM-SHA-\d+@$\d+:[A-Za-z0-9+/=]{8,}@$[A-Za-z0-9+/=]{20,}:[A-Za-z0-9+/=]{20,}
"""
"""What systems store instead of a password: guesses are tested on it. ``@$`` is a dollar sign, also doubled or escaped."""

_LOOK_OF_CHANCE = r"""
api-key              sk-                      sk-[\w-]{20,}
api-key              sk_                      sk_[\w-]{24,}
api-key              csk-                     csk-[A-Za-z0-9]{30,}
api-key              fw_                      fw_[A-Za-z0-9]{20,}
api-key              fc-                      fc-[0-9a-f]{32}(?![A-Za-z0-9])
api-key              e2b_                     e2b_[0-9a-f]{30,}
api-key              re_                      re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}
api-key              rnd_                     rnd_[A-Za-z0-9]{24,}
api-key              jina_                    jina_[A-Za-z0-9]{40,}
api-key              waka_                    waka_[0-9a-f]{8}-[0-9a-f-]{27}
meta-token           EAA                      (?:(?<![+/])|(?<=\n\+))EAA[A-Za-z0-9]{80,}
square-token         EAAA                     (?:(?<![+/])|(?<=\n\+))EAAA[\w-]{56,64}(?![\w-])
"""

_AROUND = r"""
telegram-token       :AA                      (?<!\d)\d{8,10}:AA[\w-]{30,40}(?![\w-])
mailchimp-key        -us                      @@[0-9a-f]{32}-us\d{1,2}(?!\d)
openai-key           T3BlbkFJ                 @@sk-[\w-]{16,100}T3BlbkFJ[\w-]{16,100}
terraform-token      .atlasv1.                @@[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}
newrelic-key         NRAL                     @@[0-9a-f]{36}NRAL(?![A-Za-z0-9])
paypal-token         $production$ $sandbox$   access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}
azure-key            JQQJ99 AZDO AzFu AzSe AzCa ACDb  (?:(?<![A-Za-z0-9+/_-])|(?<=\\[nrtbf]))[A-Za-z0-9+/_-]{20,80}(?:JQQJ99|AZDO|AzFu|AzSe|AzCa|ACDb)[A-Za-z0-9+/_-]{4,40}={0,2}(?![A-Za-z0-9+/=])
harness-token        pat. sat.                @@[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}
azure-client-secret  Q~                       @@[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])
stripe-webhook       whsec_                   @@whsec_[A-Za-z0-9+/]{20,}={0,2}
grafana-token        glc_                     @@glc_[A-Za-z0-9+/]{30,}={0,2}
sentry-token         sntry                    @@sntry[su]_[A-Za-z0-9+/=_-]{30,}
fly-token            fm2_                     @@fm2_[A-Za-z0-9+/_=-]{40,}
slack-webhook        hooks.slack              hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/((?:[\w+-]|\\?/){20,})
okta-token           SSWS                     SSWS\s+([\w-]{30,})
"""


_DOLLAR = rb"(?:\\{0,3}\$){1,2}"


def _rules(table: str, **more: Any) -> list[Rule]:
    """Rules of a table: a name, literals, and the pattern, which is the last word (``@@`` an edge)."""
    rules = []
    for line in table.strip().splitlines():
        name, *literals, pattern = line.split()
        source = (b"" if more.get("inside") else EDGE) + pattern.encode().replace(b"@@", EDGE).replace(b"@$", _DOLLAR)
        rules.append(Rule(name, tuple(literal.encode() for literal in literals), regex(source), **more))
    return rules


def built_in() -> list[Rule]:
    """The rules that need no key beside the secret. Earlier ones win where two begin at the same byte."""
    return _rules(_TABLE) + _rules(_HASHES) + _rules(_AROUND, inside=True) + _rules(_LOOK_OF_CHANCE, mixed=True)


EMAIL = Rule(
    "email",
    (b"@",),
    regex(rb"(?<![\w.+%-])[A-Za-z0-9][\w.+%-]{0,63}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,4}[A-Za-z]{2,24}(?![\w-])"),
    inside=True,
)
"""E-mail addresses: personal, but no secrets. Only when asked for."""

DOTTED = (
    (Rule("telegram-token", (), regex(rb"(?<!\d)\d{8,10}:[\w-]{35}"), mixed=True), regex(rb":[\w-]{35}(?![\w-])")),
    (
        Rule("discord-token", (), regex(EDGE + rb"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}"), mixed=True),
        regex(rb"\.[\w-]{6}\.[\w-]{27,45}"),
    ),
    (Rule("airtable-token", (), regex(EDGE + rb"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}")), regex(rb"\.[0-9a-f]{64}")),
    (
        Rule("mailgun-key", (), regex(EDGE + rb"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])")),
        regex(rb"-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])"),
    ),
)
"""Formats without a literal that would be worth a search, and what of them stands behind the first dot or colon."""
