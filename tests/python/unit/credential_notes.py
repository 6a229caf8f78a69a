"""Credentials as people leave them in notes and files: whole snippets, each with one, in many a dress.

Another list than ``credential_samples``, written without looking at the rules.  A snippet is a kind and
a text; its random parts are drawn when the tests run (see :func:`credential_samples.draw`), so that
none lies in the tree.  ``@`` begins a snippet's line that is its kind.
"""

from __future__ import annotations

from credential_samples import draw
from credential_words import SPOKEN

SNIPPETS = r"""
@private key
The deploy key, for when the box is rebuilt:
#+begin_example
  -----BEGIN RSA PRIVATE KEY-----
  MIIE{b60}
  {b64}
  -----END RSA PRIVATE KEY-----
#+end_example
@private key
tls:
  key: |
    -----BEGIN PRIVATE KEY-----
    MIIEv{b59}
    {b64}
    -----END PRIVATE KEY-----
@private key
"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEv{b59}\n{b64}\n-----END PRIVATE KEY-----\n",
@private key
export SSH_KEY="-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAA{b46}
{b70}
-----END OPENSSH PRIVATE KEY-----"
@private key
| what | value |
|------+-------|
| key  | -----BEGIN EC PRIVATE KEY----- MHcCAQEE{b60} {b40} -----END EC PRIVATE KEY----- |
@private key
-----BEGIN DSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,{h32}

{b64}
{b64}
-----END DSA PRIVATE KEY-----
@private key
-----BEGIN PGP PRIVATE KEY BLOCK-----

lQdGB{b59}
{b64}
=ab3F
-----END PGP PRIVATE KEY BLOCK-----
@age
# created: 2025-11-02T10:11:12+01:00
# public key: age1{l58}
AGE-SECRET-KEY-1{z58}
@age
The backup's key is AGE-SECRET-KEY-1{z58}, kept by Ann as well.
@AWS
[default]
aws_access_key_id = AKIA{A16}
region = eu-central-1
@AWS
[work]
region=eu-west-1
aws_secret_access_key={b40}
@AWS
export AWS_ACCESS_KEY_ID=ASIA{A16}
@AWS
:LOGBOOK:
- Note taken on [2026-01-02 Fri 10:00] \\
  secret key for the bucket: {b40} (aws)
:END:
@AWS
AWS_SECRET_ACCESS_KEY: "{b40}"
@AWS
{"AccessKeyId": "AKIA{A16}", "Status": "Active"}
@AWS
resource "aws" {
  access_key = "AKIA{A16}"
}
@GitHub
git remote set-url origin https://ghp_{w36}@github.com/a/b.git
@GitHub
curl -H 'Authorization: token ghp_{w36}' https://api.github.com/user
@GitHub
- the CI token (ghs_{w36}) runs out in May
@GitHub
gh auth login --with-token <<< github_pat_{w22}_{w59}
@GitHub
GITHUB_TOKEN: github_pat_{w22}_
  {w59}
@GitHub
machine github.com login ann password gho_{w36}
@GitLab
variables:
  CI_PUSH: "glpat-{u20}"
@GitLab
gitlab-runner register --url https://gitlab.example.org --token glrt-{u20}
@GitLab
curl --header "PRIVATE-TOKEN: {u20}" https://gitlab.example.org/api/v4/projects
@GitLab
docker login -u ann -p glpat-{u20} registry.example.org
@Slack
SLACK_BOT_TOKEN=xoxb-{d12}-{d13}-{w24}
@Slack
{"token": "xoxp-{d12}-{d12}-{d12}-{h32}"}
@Slack
curl -X POST -H 'Content-type: application/json' --data '{"text":"hi"}' https://hooks.slack.com/services/T{A8}/B{A10}/{w24}
@Slack
[[https://hooks.slack.com/services/T{A10}/B{A10}/{w24}][the hook of the build]]
@Stripe
stripe.api_key = 'sk_live_{w24}'
@Stripe
curl https://api.stripe.com/v1/charges -u sk_test_{w24}:
@Stripe
endpoint_secret = "whsec_{w32}"
@Stripe
| live | rk_live_{w24} |
@OpenAI
export OPENAI_API_KEY=sk-proj-{u74}T3BlbkFJ{u74}
@OpenAI
client = OpenAI(api_key="sk-{w20}T3BlbkFJ{w20}")
@OpenAI
(setq gptel-api-key "sk-proj-{u48}")
@OpenAI
:OPENAI: sk-svcacct-{u60}
@Anthropic
ANTHROPIC_API_KEY=sk-ant-api03-{u93}AA
@Anthropic
curl https://api.anthropic.com/v1/messages --header "x-api-key: sk-ant-api03-{u93}AA" --header "anthropic-version: 2023-06-01"
@Anthropic
env:
  - name: ANTHROPIC_AUTH_TOKEN
    value: sk-ant-oat01-{u90}
@Google
https://maps.googleapis.com/maps/api/js?key=AIza{u35}&callback=init
@Google
const firebaseConfig = {
  apiKey: "AIza{u35}",
  projectId: "demo"
};
@Google
{"installed": {"client_id": "{d12}-{a32}.apps.googleusercontent.com", "client_secret": "GOCSPX-{u28}"}}
@Google
{
  "type": "service_account",
  "private_key_id": "{h40}",
  "client_email": "x@y.iam.gserviceaccount.com"
}
@Google
refresh_token=1//0{u60}
@Azure
DefaultEndpointsProtocol=https;AccountName=notes;AccountKey={b86}==;EndpointSuffix=core.windows.net
@Azure
az storage blob list --account-name notes --account-key "{b86}=="
@Azure
AZURE_CLIENT_SECRET="{w3}8Q~{w34}"
@Azure
[[https://notes.blob.core.windows.net/c/x?sv=2023-01-03&se=2027-01-01&sp=r&sig={w43}%3D][the export]]
@Azure
Endpoint=sb://notes.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey={b43}=
@Azure
"AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=f;AccountKey={b86}=="
@npm
//registry.npmjs.org/:_authToken=npm_{w36}
@npm
NPM_TOKEN=npm_{w36} npm publish
@npm
//npm.example.org/:_password="{b24}=="
@npm
npmAuthToken: "{U}"
@PyPI
[pypi]
username = __token__
password = pypi-AgEIcHlwaS5vcmc{u100}
@PyPI
twine upload -u __token__ -p pypi-AgEIcHlwaS5vcmc{u120} dist/*
@Hugging Face
huggingface-cli login --token hf_{w34}
@Hugging Face
from huggingface_hub import login; login("hf_{w34}")
@Twilio
account_sid = "AC{h32}"
auth_token  = "{h32}"
@Twilio
TWILIO_AUTH_TOKEN={h32}
@Twilio
curl -X POST https://api.twilio.com/x -u AC{h32}:{h32}
@SendGrid
export SENDGRID_API_KEY='SG.{u22}.{u43}'
@SendGrid
smtp_password: SG.{u22}.{u43}
@Telegram
bot = Bot(token="{d10}:AA{u33}")
@Telegram
curl "https://api.telegram.org/bot{d10}:AA{u33}/sendMessage?chat_id=1&text=hi"
@Discord
client.run('M{w23}.{u6}.{u38}')
@Discord
webhook: https://discord.com/api/webhooks/{d18}/{u68}
@JWT
The session cookie was eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIi{w60}.{u43}
@JWT
Authorization: Bearer eyJhbGciOiJSUzI1NiJ9.eyJpc3Mi{w80}.{u86}
@JWT
#+begin_src http
GET https://api.example.org/me
Cookie: session=eyJhbGciOiJIUzI1NiJ9.eyJ1aWQi{w20}.{u43}
#+end_src
@URL with a password
pip install --index-url https://ann:{w16}@pypi.example.org/simple x
@URL with a password
git clone https://ann:{p}@git.example.org/x.git
@URL with a password
[[https://backup:{w12}@nas.example.org/share][the share]]
@URL with a password
wget ftp://mirror:{p}@ftp.example.org/x.tar
@URL with a password
proxy = "http://ann:{w10}@proxy.example.org:3128"
@database URL
DATABASE_URL=postgres://app:{w14}@db.example.org:5432/app
@database URL
SQLALCHEMY_DATABASE_URI = 'mysql+pymysql://root:{p}@localhost/shop'
@database URL
mongosh "mongodb+srv://admin:{w16}@cluster0.ab1cd.mongodb.net/x"
@database URL
redis-cli -u redis://default:{w20}@cache.example.org:6379
@database URL
spring.datasource.password={p}
@database URL
jdbc:postgresql://db.example.org/app?user=app&password={w14}
@database URL
Server=tcp:db.example.org,1433;Initial Catalog=app;User ID=app;Password={w14};Encrypt=True
@database URL
PGPASSWORD={p} psql -h db.example.org -U app app
@database URL
db.example.org:5432:app:ann:{w14}
""".strip("\n")


def snippets() -> list[tuple[str, str]]:
    """Kind and text of each, random parts drawn."""
    found = []
    for part in f"\n{SNIPPETS}\n{SPOKEN}".split("\n@")[1:]:
        kind, _, text = part.partition("\n")
        found.append((kind, draw(text.replace("\\n", "\x00"), 7).replace("\x00", "\\n")))
    return found


DRESSES = {
    "as it is": lambda s: s,
    "in a drawer": lambda s: ":NOTES:\n" + s + "\n:END:",
    "in a source block": lambda s: "#+begin_src conf\n" + s + "\n#+end_src",
    "in a quote of a list": lambda s: "- thus:\n" + "".join(f"  {x}\n" for x in s.split("\n")),
    "as fixed width": lambda s: "\n".join(f": {x}" for x in s.split("\n")),
    "in a Markdown fence": lambda s: f"```yaml\n{s}\n```",
    "as a comment": lambda s: "\n".join(f"# {x}" for x in s.split("\n")),
    "in a quoted mail": lambda s: "\n".join(f"> {x}" for x in s.split("\n")),
}
