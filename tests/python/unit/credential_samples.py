"""Made-up credentials: their random parts are drawn when the tests run, so that none lies in the tree.

A row is a kind and a template.  ``{A20}`` is twenty capitals and digits, ``{a20}`` small letters and
digits, ``{w20}`` letters of both cases and digits, ``{u20}`` these with ``_`` and ``-``, ``{b20}``
base64, ``{h20}`` hexadecimal, ``{d20}`` digits, ``{U}`` a UUID, ``{p}`` a password as people choose it.
"""

from __future__ import annotations

import random
import re
import string
import uuid

_SETS = {
    "A": string.ascii_uppercase + "234567",
    "a": string.ascii_lowercase + string.digits,
    "w": string.ascii_letters + string.digits,
    "u": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "h": "0123456789abcdef",
    "d": string.digits,
    "l": string.ascii_lowercase,
    "z": "023456789acdefghjklmnpqrstuvwxyz".upper(),
}
_STEMS = (
    "hunter",
    "Winter",
    "kestrel",
    "Tr0ub4dor",
    "brisk",
    "Quartz",
    "monsoon",
    "letmein",
    "S3agull",
)

TEMPLATES = """
private key | -----BEGIN RSA PRIVATE KEY-----\\nMIIE{b60}\\n{b64}\\n{b64}\\n-----END RSA PRIVATE KEY-----
private key | -----BEGIN EC PRIVATE KEY-----\\nMHcC{b60}\\n{b40}==\\n-----END EC PRIVATE KEY-----
private key | -----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEA{b50}\\n{b70}\\n-----END OPENSSH PRIVATE KEY-----
private key | -----BEGIN PGP PRIVATE KEY BLOCK-----\\nVersion: GnuPG v2\\n\\nlQOY{b60}\\n{b64}\\n-----END PGP PRIVATE KEY BLOCK-----
private key | -----BEGIN ENCRYPTED PRIVATE KEY-----\\nMIIF{b60}\\n{b64}\\n-----END ENCRYPTED PRIVATE KEY-----
private key | -----BEGIN PRIVATE KEY-----\\nMIIE{b60}\\n{b64}\\n-----END PRIVATE KEY-----
age | AGE-SECRET-KEY-1{z58}
AWS id | AKIA{A16}
AWS id | aws_access_key_id = ASIA{A16}
AWS secret | aws_secret_access_key = {b40}
AWS secret | AWS_SECRET_ACCESS_KEY={b40}
AWS secret | "SecretAccessKey": "{b40}"
AWS session | aws_session_token = {b200}==
GitHub | ghp_{w36}
GitHub | gho_{w36}
GitHub | ghs_{w36}
GitHub | ghu_{w36}
GitHub | ghr_{w76}
GitHub fine-grained | github_pat_{w22}_{w59}
GitHub old | github_token: {h40}
GitLab | glpat-{u20}
GitLab | glrt-{u20}
GitLab | GR1348941{u20}
Slack | xoxb-{d12}-{d12}-{w24}
Slack | xoxp-{d12}-{d12}-{d12}-{h32}
Slack | xapp-1-A{A10}-{d13}-{h64}
Slack | xoxe.xoxp-1-{w160}
Slack webhook | https://hooks.slack.com/services/T{A8}/B{A8}/{w24}
Stripe | sk_live_{w24}
Stripe | rk_live_{w99}
Stripe | sk_test_{w24}
Stripe webhook | whsec_{w32}
OpenAI | sk-{w20}T3BlbkFJ{w20}
OpenAI | sk-proj-{u74}T3BlbkFJ{u74}
OpenAI | sk-svcacct-{u60}
OpenAI | sk-admin-{u60}
OpenAI | sk-{w48}
Anthropic | sk-ant-api03-{u93}AA
Anthropic | sk-ant-admin01-{u93}AA
Anthropic | sk-ant-oat01-{u90}
OpenRouter | sk-or-v1-{h64}
Google API | AIza{u35}
Google OAuth | GOCSPX-{u28}
Google OAuth | ya29.{u80}
Google OAuth | 1//0{u60}
Google service account | {"type": "service_account", "private_key_id": "{h40}", "client_id": "1"}
Azure | AccountKey={b86}==
Azure | DefaultEndpointsProtocol=https;AccountName=store1;AccountKey={b86}==;EndpointSuffix=core.windows.net
Azure | Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={b43}=
Azure | {w3}8Q~{w34}
Azure | https://store1.blob.core.windows.net/c?sv=2022-11-02&sr=c&sig={w43}%3D
Azure | AZURE_CLIENT_SECRET={u37}
npm | npm_{w36}
npm | //registry.npmjs.org/:_authToken={U}
PyPI | pypi-AgEIcHlwaS5vcmc{u100}
Hugging Face | hf_{w34}
Twilio | SK{h32}
Twilio | AC{h32}
Twilio | TWILIO_AUTH_TOKEN={h32}
SendGrid | SG.{u22}.{u43}
Telegram | {d10}:AA{u33}
Telegram | https://api.telegram.org/bot{d9}:AA{u33}/getMe
Discord | M{w25}.{u6}.{u38}
Discord | https://discord.com/api/webhooks/{d18}/{u68}
JWT | eyJhbGciOiJIUzI1NiJ9.eyJ{w40}.{u43}
JWT | eyJ{w30}.eyJ{w120}.{u86}
basic auth URL | https://deploy:{w12}@git.example.com/x.git
basic auth URL | ftp://bob:{p}@files.example.net/
basic auth URL | https://{h40}@github.com/a/b
database URL | postgres://app:{w14}@db.internal:5432/prod
database URL | postgresql://app:{p}@db:5432/prod
database URL | mongodb+srv://admin:{w16}@cluster0.mongodb.net/x
database URL | mysql://root:{p}@127.0.0.1/shop
database URL | redis://:{w20}@cache:6379/0
database URL | amqp://mq:{w10}@rabbit:5672/
database URL | Server=db1;Database=x;User Id=sa;Password={p};
netrc | machine api.example.com login bob password {p}
netrc | machine github.com\\n  login bob\\n  password {w14}
netrc | machine mail.example.org login bob port 993 password {w9}
authorization | Authorization: Basic {b24}==
authorization | Authorization: Bearer {u40}
authorization | authorization: token {h40}
authorization | curl -H "Authorization: Bearer {u32}" https://x.example
authorization | X-Api-Key: {w32}
authorization | PRIVATE-TOKEN: {u20}
command | curl -u bob:{p} https://x.example
command | sshpass -p {p} ssh host
command | mysql -u root -p{p} shop
command | mytool --password {p} go
command | mytool --api-key={w32}
password | password = {p}
password | password: {p}
password | PASSWORD="{p}"
password | DB_PASSWORD={p}
password | passwd: '{p}'
password | pwd={p}
password | "password": "{p}"
password | the password is {p}
password | (setq mail-password "{p}")
password | password := "{p}"
password | <password>{p}</password>
password | passphrase = "correct horse battery {l6}"
token | api_key = "{w32}"
token | API_KEY={h32}
token | apikey: {a24}
token | secret_key: {w40}
token | client_secret = '{u32}'
token | access_token={w32}
token | auth_token: "{h40}"
token | SECRET_KEY = '{w50}'
token | token: {w24}
Heroku | HRKU-AA{u58}
Heroku | HEROKU_API_KEY={U}
Heroku | heroku api key: {U}
DigitalOcean | dop_v1_{h64}
DigitalOcean | doo_v1_{h64}
Mailgun | key-{h32}
Mailgun | {h32}-{h8}-{h8}
Mailgun | MAILGUN_API_KEY={h32}
Mailchimp | {h32}-us12
Mailchimp | {h32}-us5
Datadog | DD_API_KEY={h32}
Datadog | datadog app key {h40}
Datadog | datadog_api_key: "{h32}"
New Relic | NRAK-{A27}
New Relic | NRJS-{h19}
New Relic | {h36}NRAL
Shopify | shpat_{h32}
Shopify | shpss_{h32}
Square | sq0atp-{u22}
Square | sq0csp-{u43}
Square | EAAA{u60}
PayPal | access_token$production${a16}${h32}
PayPal | PAYPAL_CLIENT_SECRET=E{u79}
PayPal | paypal secret: E{u79}
Cloudflare | CLOUDFLARE_API_TOKEN={u40}
Cloudflare | cloudflare global api key: {h37}
Cloudflare | v1.0-{h24}-{h146}
Vault | hvs.{w24}
Vault | hvb.{u100}
Doppler | dp.pt.{w43}
Doppler | dp.st.dev.{w43}
Databricks | dapi{h32}
Databricks | dapi{h32}-2
Docker | dckr_pat_{u27}
Docker | {"auths": {"https://index.docker.io/v1/": {"auth": "{b28}"}}}
Atlassian | ATATT3xFfGF0{u170}={A8}
Atlassian | jira api token: {w24}
Atlassian | ATBB{w32}
Linear | lin_api_{w40}
Linear | lin_oauth_{h64}
Notion | ntn_{w46}
Notion | secret_{w43}
Figma | figd_{u40}
Figma | figma_token = {U}
Postman | PMAK-{h24}-{h34}
Grafana | glsa_{w32}_{h8}
Grafana | glc_{b60}
Grafana | eyJrIjoi{w80}
Sentry | sntrys_{w80}
Sentry | sntryu_{h64}
Sentry | https://{h32}@o123.ingest.sentry.io/4
Terraform | {w14}.atlasv1.{u67}
Pulumi | pul-{h40}
RubyGems | rubygems_{h48}
crates.io | cio{w32}
Fastly | FASTLY_API_TOKEN={u32}
Fastly | fastly key: {u32}
Okta | Authorization: SSWS 00{u40}
Okta | okta_token = 00{u40}
Dropbox | sl.{u130}
Dropbox | dropbox app secret: {a15}
Facebook | EAA{w120}
Facebook | facebook app secret = {h32}
Facebook | {d15}|{u27}
Twitter | AAAAAAAAAAAAAAAAAAAAA{w80}
Twitter | twitter_consumer_secret={w50}
Twitter | {d18}-{w40}
LinkedIn | linkedin_client_secret={w16}
LinkedIn | WPL_AP1.{w16}.{w8}
Flutterwave | FLWSECK-{h32}-X
Flutterwave | FLWSECK_TEST-{h32}-X
EasyPost | EZAK{w54}
EasyPost | EZTK{w54}
Alibaba | LTAI{w20}
Alibaba | alibaba_secret_key = {w30}
Tencent | AKID{w32}
Tencent | tencent secret key: {w32}
Yandex | AQVN{u36}
Yandex | y0_{u55}
Yandex | t1.{u20}.{u86}
Supabase | sbp_{h40}
Groq | gsk_{w52}
xAI | xai-{w80}
Replicate | r8_{w37}
Tailscale | tskey-auth-{w12}-{w32}
Airtable | pat{w14}.{h64}
HubSpot | pat-na1-{U}
Netlify | nfp_{w36}
SonarQube | sqp_{h40}
Brevo | xkeysib-{h64}-{w16}
Plaid | access-sandbox-{U}
Dynatrace | dt0c01.{A24}.{A64}
LaunchDarkly | launchdarkly sdk key: sdk-{U}
Snyk | SNYK_TOKEN={U}
Algolia | algolia_api_key: {h32}
Asana | asana token: 1/{d16}:{h32}
Trello | trello_key={h32}
""".strip()


def draw(template: str, seed: int) -> str:
    """A credential of a template; the same for the same seed, and no two seeds alike."""
    dice = random.Random(f"{template}{seed}")

    def part(match: re.Match[str]) -> str:
        kind, count = match.group(1), int(match.group(2) or 0)
        if kind == "U":
            return str(uuid.UUID(int=dice.getrandbits(128), version=4))
        if kind == "p":
            return (
                dice.choice(_STEMS) + dice.choice(("", "!", "#", "-")) + str(dice.randint(10, 9999))
            )
        return "".join(dice.choice(_SETS[kind]) for _ in range(count))

    return re.sub(r"\{([AawubhdlzUp])(\d*)\}", part, template.replace("\\n", "\n"))


def samples(count: int = 3) -> list[tuple[str, str, str]]:
    """Kind, template and credential, *count* of each row."""
    rows = [row.split(" | ", 1) for row in TEMPLATES.splitlines()]
    return [(kind, t, draw(t, seed)) for kind, t in rows for seed in range(count)]


def _halved(text: str, glue: str) -> str:
    """The text cut in the middle of its longest word."""
    word = max(re.findall(r"\S+", text), key=len)
    at = text.index(word) + len(word) // 2
    return text[:at] + glue + text[at:]


def _wrapped(text: str) -> str:
    """The text with a line end after each 24 characters, as a narrow fill column does it."""
    return "\n".join(text[at : at + 24] for at in range(0, len(text), 24))


ONE_LINE = {
    "prose": "It was said that {} is used there.",
    "property": ":NOTE: {}",
    "drawer": ":LOGBOOK:\n- {}\n:END:",
    "source": "#+begin_src sh\n  {}\n#+end_src",
    "example": "#+begin_example\n{}\n#+end_example",
    "link": "[[https://example.org/?x={}][words]]",
    "description": "[[id:5f0c7c1e-0000-4000-8000-000000000000][{}]]",
    "table": "| name | what |\n|------+------|\n| a    | {} |",
    "verbatim": "Use ={}= there.",
    "code": "Use ~{}~ there.",
    "bold": "Use *{}* there.",
    "fixed width": ": {}",
    "item": "- {}",
    "quote": "#+begin_quote\n{}\n#+end_quote",
    "title": "#+title: {}",
    "heading": "* {}",
    "comment": "# {}",
    "footnote": "[fn:1] {}",
    "end of a sentence": "This is it: {}.",
    "parentheses": "({})",
}
SHAPES = {
    "cut in two": lambda s: _halved(s, "\n"),
    "cut and indented": lambda s: _halved(s, "\n    "),
    "cut in fixed width": lambda s: ": " + _halved(s, "\n: "),
    "cut with a backslash": lambda s: _halved(s, "\\\n"),
    "wrapped": _wrapped,
    "zero width": lambda s: _halved(s, "\u200b"),
    "soft hyphen": lambda s: _halved(s, "\u00ad"),
    "tag character": lambda s: _halved(s, "\U000e0041"),
    "full width": lambda s: "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in s),
    "lines end with CR LF": lambda s: f"a\n{s}\nb\n".replace("\n", "\r\n"),
}
