"""Credentials without a mark of their own: what stands beside them says what they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from aikb.rules.credential_judge import (
    compiled,
    is_name_of_thing,
    is_password,
    is_placeholder,
    is_random,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Context(NamedTuple):
    """A kind, words of which one must stand in the text, a regex, and a judge of its match.

    Unless ``whole`` is set a match lies in one line, and only lines with such a word are searched.
    """

    kind: str
    words: tuple[str, ...]
    regex: str
    judge: Callable[[re.Match[str]], bool]
    whole: bool = False


Q = r"[\"'`=~*]?"  # quotation marks, and Org's for verbatim, code and bold
_SEP = r"[ \t]*(?:::|:=|=>|->|==?|:|：|\||>)[ \t]*"
_STRONG = (
    r"(?<![a-z])(?:root|user|admin|db|sql|mysql|pg|wifi|ftp|mail)?[_-]?pw(?![a-z])"
    r"|pass(?:word|wd|phrase|code|wort|w)?|pwd|psw|kennwort|contraseña|senha|mot de passe|parola|пароль"
    r"|密码|密碼|口令|パスワード|비밀번호"
)
_WEAK = (
    r"secret|token|credentials?|(?:api|app|access|secret|private|encryption|signing|auth|account|master"
    r"|service|session|license|consumer|client|admin|shared|subscription|webhook)[ _.-]{0,2}key|apikey"
    r"|api[ _-]auth|client[ _.-]?id[ _.-]?secret|令牌|密钥"
)
VALUE = (
    r"(?:(?P<d>[\"'`])(?P<q>(?:(?!(?P=d))[^\n]){3,400})(?P=d)"
    r"|[=~](?P<o>[^\s=~][^\s]{1,398}?)[=~](?=[\s.,;:!?)\]|'\"]|$)"
    r"|(?P<u>[^\s\"'`<>|,;(){}\[\]][^\s\"'`<>|,;)\]}]{2,398}))"
)
_MARKS = ".,;:!?*_=~"
_PROVIDERS = (
    "adyen|airtable|algolia|alibaba|aliyun|amplitude|artifactory|asana|assemblyai|atlassian|auth0|aws|"
    "azure|binance|bitbucket|bitfinex|bittrex|brevo|bugsnag|circleci|cloudflare|codecov|cohere|"
    "coinbase|confluence|confluent|contentful|coveralls|databricks|datadog|dd[_-]ap[ip]|deepgram|"
    "digitalocean|discord|docker|docusign|doppler|dropbox|elastic|elevenlabs|etsy|facebook|fastly|fb_|"
    "figma|finnhub|firebase|flickr|freshbooks|github|gitlab|gitter|godaddy|google|grafana|hashicorp|"
    "heroku|hetzner|hubspot|ibm|infura|intercom|jenkins|jfrog|jira|kraken|kucoin|lastfm|linear|"
    "linkedin|linode|loggly|looker|mailchimp|mailgun|mandrill|mapbox|mattermost|messagebird|mistral|"
    "mixpanel|mongodb|namecheap|netlify|new[ _-]?relic|newsapi|nexmo|notion|npm|nytimes|okta|openai|"
    "openweather|opsgenie|pagerduty|paypal|pinecone|plaid|plivo|postmark|pusher|rapidapi|recaptcha|"
    "rollbar|salesforce|scaleway|segment|sendbird|sendgrid|sentry|shodan|shopify|slack|snyk|sonar|"
    "splunk|spotify|square|squarespace|steam|stripe|sumo|telegram|tencent|tmdb|travis|trello|twilio|"
    "twitch|twitter|typeform|unsplash|vault|vercel|virustotal|vonage|vultr|wandb|yandex|zendesk|zoom"
)


def value_of(match: re.Match[str]) -> tuple[str, bool]:
    """The value of a match, and whether it stood in quotation marks."""
    for name in ("q", "o"):
        if match.group(name):
            return match.group(name), name == "q"
    value = match.group("u")
    if more := re.search(r"&\w+=", value):  # the next part of a URL's query
        value = value[: more.start()]
    return value.rstrip(_MARKS).lstrip("*_"), False


_ID_MOST = 16
_ABOUT = (  # a password's store, length or field is none
    r"(?i)(?:store|manager|hash|prompt|policy|length|len|reset|file|path|type|name|field|url|uri|hint"
    r"|ticket|rate|through|format|strength|expir\w*|ttl|age|count|limit|endpoint|class|less|auth|authentication)$"
)


def _password(match: re.Match[str]) -> bool:
    value, quoted = value_of(match)
    sep = match.group("sep")
    if (not sep.strip() and not quoted) or compiled(_ABOUT).search(match.group("tail")):
        return False
    if sep.strip() == "|" and len(value) < _ID_MOST and is_name_of_thing(value):
        return False  # a row of an index: a title that ends so, and the beginning of an id
    if sep.strip() == ":" and match.group("u") and match.group("u").startswith("//"):
        return False
    return is_password(
        value,
        quoted=quoted,
        assigned="=" in sep and ">" not in sep,
        strong=match.group("strong") is not None,
    )


def is_secret(match: re.Match[str]) -> bool:
    """Whether the value is a random one."""
    return is_random(match.group("v"))


def is_given(match: re.Match[str]) -> bool:
    """For places where nothing but a credential can stand."""
    value = match.group("v")
    words = {"password", "pass", "passwd", "secret", "token", "pwd", "pw", "passw0rd", "key"}
    return not (
        is_placeholder(value) or value.lower() in words or re.match(r"[$<{%\[(]|\w+\(", value)
    )


def _is_signed(match: re.Match[str]) -> bool:
    return len(match.group("v")) >= 20 and is_random(match.group("v"))


def _header(match: re.Match[str]) -> bool:
    return is_given(match) and (
        len(match.group("v")) >= 16 or any(c.isdigit() or c in "=+/" for c in match.group("v"))
    )


def _key_block(match: re.Match[str]) -> bool:
    """Whether a key follows its heading, and not dots or prose about keys."""
    body = re.sub(r"\\[nr]|\n[ \t]*(?:[:>#|][ \t])?", "", match.group("v"))
    found = re.search(r"[A-Za-z0-9+/=]{16,}", body)
    return bool(found) and is_mixed(found.group()) and not re.search(r"x{6}|\.{3}|…", body[:60])  # type: ignore[union-attr]


def is_mixed(value: str) -> bool:
    """Whether a run of letters is none of a word."""
    return any(c.isdigit() for c in value) or not (value.islower() or value.isupper())


CONTEXTS = (
    Context("private key", ("private",),
            r"-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?P<v>(?s:.{1,4000}?)"
            r"(?:-{4,5} ?END|\Z)|(?s:.{1,4000}))", _key_block, whole=True),
    Context("password in a URL", ("@",),
            r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>\[\]]{0,80}:"
            r"(?P<v>[^\s/@\"'<>\[\]]{3,200}|[^\s@\"'<>\[\]]{6,200})@[\w\[{$.-]", is_given),
    Context("token in a URL", ("@",),
            r"https?://(?P<v>[A-Za-z0-9_-]{20,})@[\w.-]+", is_secret),
    Context("secret in a connection string", ("pwd=", "password=", "password ="),
            r"(?i:(?:server|host|data source|user id|uid|user|dsn)[ \t]*=[^\n]{0,200}?"
            r"(?:pwd|password)[ \t]*=[ \t]*(?P<v>[^;\s\"'&]{3,100}))", is_given),
    Context("secret in a URL", ("password=", "passwd=", "token=", "key=", "secret=", "signature="),
            r"[?&](?i:password|passwd|pwd|access_token|auth_token|token|api_?key|key|secret|client_secret"
            r"|x-amz-signature|x-amz-security-token|signature)=(?P<v>[^\s&#\"'<>\]|)]{8,400})",
            lambda m: is_given(m) and (_is_signed(m) or (
                "pass" in m.group()[:12].lower() and _header(m)))),
    Context("authorization header", ("authorization", "bearer", "ssws"),
            r"(?i:(?:proxy-)?authorization[\"'`]?[ \t]*(?:[:=,]|=>)[ \t]*[\"'`]?(?:basic|bearer|token|"
            r"digest|apikey|api-key|key|ssws|negotiate|splunk|aws4-hmac-sha256)?[ \t:=]*)"
            r"(?P<v>[A-Za-z0-9_.~+/=:-]{8,})", _header),
    Context("bearer token", ("bearer", "ssws"),
            r"(?i:\b(?:bearer|ssws)[ \t]+)(?P<v>[A-Za-z0-9_.~+/=-]{16,})",
            lambda m: is_secret(m) and not is_name_of_thing(m.group("v"))),
    Context("credential header", ("x-", "private-token", "api-key", "job-token", "cookie"),
            r"(?i:\b(?:x-[a-z-]{0,30}(?:key|token|auth|secret|signature)|private-token|job-token|api-key"
            r"|dd-ap\w+-key|ocp-apim-subscription-key)[\"'`]?[ \t]*[:=][ \t]*[\"'`]?)"
            r"(?P<v>[A-Za-z0-9_.~+/=-]{8,})", _header),
    Context("netrc password", ("machine", "login"),
            r"(?i:(?:\bmachine\s+\S+|\blogin\s+\S+)\s+(?:\S+\s+\S+\s+){0,3}?password)\s+"
            r"[\"']?(?P<v>[^\s\"']{3,200})",
            lambda m: is_given(m) and re.search(r"(?i)\bmachine\b|\blogin\b", m.group()) is not None
            and not re.fullmatch(r"(?i)and|or|for|is|to|the|in|from|with|prompt|page|field|form\S*",
                                 m.group("v"))
            and ("machine" in m.group().lower() or is_mixed(m.group("v"))), whole=True),
    Context("pgpass entry", ("pgpass", ":5432:"),
            r"[\w.*-]+:(?:\d{2,5}|\*):[\w*-]+:[\w*-]+:(?P<v>[^\s:]{4,100})", is_given),
    Context("AWS secret key", ("aws", "secret", "akia", "asia"),
            r"(?i:aws|secret|akia|asia)[^\n]{0,80}?(?:\n[^\n]{0,60}?)?"
            r"(?<![A-Za-z0-9+/=])(?P<v>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
            lambda m: is_random(m.group("v")) and not re.fullmatch(r"[0-9a-f]+", m.group("v"))
            and not m.group("v").isalpha(), whole=True),
    Context("AWS session token", ("session", "security-token", "securitytoken"),
            r"(?i:session_?token|security_?token)[\"']?[ \t]*[:=][ \t]*[\"']?(?P<v>[A-Za-z0-9+/=]{80,})",
            is_secret),
    Context("AWS secret key", ("aws_secret", "secretaccesskey", "secret_access_key"),
            r"(?i:(?:aws_)?secret_?access_?key|aws_secret_key)[\"'`]?" + _SEP +
            r"[\"'`=~]?(?P<v>[A-Za-z0-9+/]{36,44})", lambda m: not is_placeholder(m.group("v"))),
    Context("password or token", ("pass", "pwd", "pw", "psw", "secret", "token", "key", "credential", "senha",
                                  "kennwort", "contrase", "parola", "пароль", "密", "口令", "令牌",
                                  "パスワード", "비밀번호", "auth"),
            r"(?i:(?P<strong>" + _STRONG + r")|" + _WEAK + r")(?P<tail>(?i:[\w-]{0,24}))" + Q + r"\]?" +
            r"(?P<sep>(?:[ \t]*:[ \t]*[A-Za-z][\w.\[\]]*[ \t]+=(?!=)[ \t]+)|" + _SEP +
            r"|[ \t]+(?=[\"'])|\([ \t]*(?=[\"'])|[\"'],[ \t]*(?=[\"']))" + VALUE, _password),
    Context("password or token", ("pass", "pwd", "secret", "token", "key"),
            r"(?i:\b(?:name|key|id)[\"']?[ \t]*[=:][ \t]*[\"']?[\w.-]{0,40}?(?:(?P<strong>" + _STRONG + r")|"
            + _WEAK + r")(?P<tail>[\w-]{0,24})[\"']?[ \t]*,?\s{1,40}[\"']?value[\"']?)(?P<sep>[ \t]*[=:][ \t]*)"
            + VALUE, _password, whole=True),
)  # fmt: skip


_RUN = re.compile(
    r"(?<![A-Za-z0-9_+/.~-])[A-Za-z0-9_-][A-Za-z0-9_+/.~-]{14,200}={0,2}(?![A-Za-z0-9])"
)
_NAMED = re.compile(r"(?i)key|token|secret|pat\b|license|signature|credential")
_OWNED = (
    rf"(?i:(?:{_PROVIDERS})[\w .'()/-]{{0,40}}?(?:key|token|secret|\bpat|license|signature|credential)"
    rf"[\w ()-]{{0,20}}?){Q}(?:(?P<sep>{_SEP})|[ \t]+(?:is[ \t]+|was[ \t]+)?){Q}\Z"
)
_EVERYDAY = r"(?i:vault|square|linear|segment|zoom|steam|google|docker|elastic|notion)"
_WITH_UUIDS = r"(?i:heroku|snyk|postmark|figma|netlify|codecov|npm|launchdarkly|hubspot|plaid)"


def of_providers(text: str) -> Iterator[tuple[int, int]]:
    """Where a random word stands behind a provider's name and ``key``, ``token`` or the like."""
    for match in _RUN.finditer(text):
        start = match.start()
        before = text[max(text.rfind("\n", 0, start) + 1, start - 110) : start]
        if not (_NAMED.search(before) and is_random(match.group())):
            continue
        owned = compiled(_OWNED).search(before)
        if owned and (owned.group("sep") or not _is_plain_name(match.group(), owned.group())):
            yield match.span()


def _is_plain_name(value: str, before: str) -> bool:
    """Whether an id or a hash stands behind words that are no company's alone."""
    if "-" in value and is_name_of_thing(value):
        return not compiled(_WITH_UUIDS).match(before)
    return is_name_of_thing(value) and bool(compiled(_EVERYDAY).match(before))


def value_span(match: re.Match[str]) -> tuple[int, int]:
    """Where in its text the secret of a context's match stands."""
    names = match.re.groupindex
    for name in ("v", "q", "o", "u"):
        if name in names and match.group(name) is not None:
            start, end = match.span(name)
            if name == "u":
                end -= len(match.group(name)) - len(match.group(name).rstrip(_MARKS))
            return start, end
    return match.span()


_CELL_NAME = rf"(?i:\W*(?:[\w .-]*(?:{_STRONG}|{_WEAK})[\w .-]{{0,12}})\W*)"


def in_tables(text: str) -> Iterator[tuple[int, int]]:
    """Where cells stand below a heading cell that says ``password``, ``token`` or the like."""
    columns: dict[int, bool] = {}
    at, inside = 0, False
    for line in text.split("\n"):
        if line.lstrip().startswith("|"):
            cells, start = [], at + line.index("|") + 1
            for cell in line[line.index("|") + 1 :].split("|"):
                cells.append((start, cell))
                start += len(cell) + 1
            if not inside:
                columns = {
                    n: bool(re.search(rf"(?i:{_STRONG})", cell))
                    for n, (_, cell) in enumerate(cells)
                    if compiled(_CELL_NAME).fullmatch(cell)
                }
            else:
                for n, (start, cell) in enumerate(cells):
                    value = cell.strip().strip("=~`*")
                    if n in columns and is_password(
                        value, quoted=False, assigned=True, strong=columns[n]
                    ):
                        begin = start + cell.index(value)
                        yield begin, begin + len(value)
            inside = True
        else:
            inside = False
        at += len(line) + 1
