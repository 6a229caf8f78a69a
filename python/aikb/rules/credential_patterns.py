"""The shapes of credentials that bear a mark of their own: one row a kind, as data.

A row is a name, words of which one must stand, in lower case, in some long run of visible characters
(with ``@``: anywhere), so that most rows cost one search each and are never compiled; and a regular
expression, whose group, if any, is the secret itself.  The word ``LONG`` stands for 22 letters and
digits in a row.  No row looks at its surroundings: :mod:`aikb.rules.credentials` demands that a match begins
and ends where a word or a wrapped line does.  Rows stand in order: of two that overlap the first
counts.
"""

from __future__ import annotations

from typing import NamedTuple


class Pattern(NamedTuple):
    """One row; see above."""

    kind: str
    words: tuple[str, ...]
    regex: str


_TABLE = r"""
age private key ; age-secret-key-|age-plugin- ; AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]+)-(?:PQ-)?1[0-9A-Z]{50,}
OpenSSH private key ; b3blbnnzac1rzxktdje ; b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]{20,}
minisign secret key ; rwrty0iy ; RWRTY0Iy[A-Za-z0-9+/=]{50,}
PuTTY private key ; @private-lines: ; Private-Lines: \d+\s+([A-Za-z0-9+/=]{20,})
extended private key ; xprv ; xprv[1-9A-HJ-NP-Za-km-z]{90,}
AWS access key id ; akia|asia|abia|acca|a3t ; (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}
AWS Bedrock key ; absk|bedrock-api-key- ; (?:ABSK[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{30,})
AWS marketplace token ; amzn.mws. ; amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
Amazon OAuth secret ; amzn1.oa2-cs. ; amzn1\.oa2-cs\.v1\.[0-9a-f]{64}
AWS AppSync key ; da2- ; da2-[a-z0-9]{26}
GitHub token ; ghp_|gho_|ghu_|ghs_|ghr_ ; gh[pousr]_[A-Za-z0-9]{30,255}
GitHub fine-grained token ; github_pat_ ; github_pat_[A-Za-z0-9_]{22,255}
GitLab token ; glpat-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-|glffct-|glwt- ; gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_.=-]{19,300}
GitLab runner token ; gr1348941 ; GR1348941[A-Za-z0-9_-]{20,}
GitLab session ; _gitlab_session ; _gitlab_session=([0-9a-z]{32})
Atlassian token ; atatt3|atctt3|atstt3|atbb ; (?:AT[ACS]TT3[A-Za-z0-9_=-]{24,}|ATBB[A-Za-z0-9_=]{24,})
Slack token ; xox|xapp- ; (?:xoxe\.)?xox[abcdeoprs](?:-[A-Za-z0-9%+/=]+)*-[A-Za-z0-9%+/=]{8,}
Slack app token ; xapp- ; xapp-\d-[A-Za-z0-9]+-\d+-[A-Za-z0-9]{16,}
Slack webhook ; hooks.slack ; hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9/]{12,}
Stripe key ; sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_|rk_prod_ ; [sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,247}
Stripe webhook secret ; whsec_ ; whsec_[A-Za-z0-9+/=]{24,}
OpenRouter key ; sk-or- ; sk-or-(?:v\d-)?[A-Za-z0-9-]{32,}
Anthropic key ; sk-ant- ; sk-ant-[A-Za-z0-9_-]{20,}
OpenAI key ; sk- ; sk-(?:(?:proj|svcacct|admin|service|None|org|lf|litellm)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,}T3BlbkFJ[A-Za-z0-9]{20,}|[A-Za-z0-9]{32,})
OpenAI session ; sess- ; sess-[A-Za-z0-9]{40}
Google API key ; aiza ; AIza[A-Za-z0-9_-]{35}
Google OAuth secret ; gocspx- ; GOCSPX-[A-Za-z0-9_-]{20,40}
Google OAuth token ; ya29. ; ya29\.[A-Za-z0-9_.-]{20,}
Google refresh token ; 1//0 ; 1//0[A-Za-z0-9_-]{20,}
Google auth key ; aq. ; AQ\.[A-Za-z0-9_-]{35,}
Google cloud messaging key ; aaaa ; AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{120,}
Google service account ; @private_key_id ; private_key_id\W{1,8}([0-9a-f]{40})
Google HMAC key ; goog ; GOOG1?[A-Z0-9]{20,60}
Azure storage key ; @accountkey ; AccountKey\s{0,2}[=:]\s{0,2}"?([A-Za-z0-9+/]{40,}={0,2})
Azure shared access key ; @sharedaccesskey ; SharedAccessKey\s{0,2}[=:]\s{0,2}"?([A-Za-z0-9+/]{40,}={0,2})
Azure SAS signature ; sig= ; [?&;]sig=([A-Za-z0-9%+/]{40,}(?:=|%3D){0,2})
Azure client secret ; q~ ; [A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{30,36}
Azure service key ; azdo|jqqj99|azfu|+ast|acdb|azse|azca|+acr|apim|+amc|cosmos ; [A-Za-z0-9+/]{36,80}(?:AZDO|JQQJ99|AzFu|\+ASt|ACDb|AzSe|AzCa|\+ACR|APIM|\+AMC)[A-Za-z0-9+/]{4,36}={0,2}
npm token ; npm_ ; npm_[A-Za-z0-9]{30,}
npm registry password ; @_auth|@:_password ; (?::?_auth|_authToken|:_password)\s{0,3}[=:]\s{0,3}"?([A-Za-z0-9+/=_-]{8,})
PyPI token ; pypi-ag ; pypi-Ag[A-Za-z0-9_-]{30,}
Hugging Face token ; hf_|api_org_ ; (?:hf|api_org)_[A-Za-z0-9]{30,}
Twilio key ; sk|ac ; (?:SK|AC)[0-9a-f]{32}
SendGrid key ; sg. ; SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}
Telegram bot token ; :a|telegram|bot ; (?:bot)?\d{6,12}:A[A-Za-z0-9_-]{33,35}
Discord webhook ; /api/webhooks/ ; discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{6,}/[A-Za-z0-9_-]{30,}
Discord token ; LONG|mfa. ; (?:[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}|mfa\.[A-Za-z0-9_-]{80,})
Mapbox secret token ; sk.eyj ; sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}
1Password token ; ops_eyj ; ops_eyJ[A-Za-z0-9_=-]{40,}
1Password secret key ; a3- ; A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}
Grafana token ; glc_|glsa_ ; gl(?:c_[A-Za-z0-9+/=]{32,}|sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8})
Grafana API key ; eyjrijoi ; eyJrIjoi[A-Za-z0-9+/=]{40,}
JSON web token ; eyj ; (?:eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{5,}|eyJ(?:hbGci|0eXAi|raWQi|lbmMi|4NXQi|6aXAi|qa3Ui|jdHki)[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*)\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){0,2}
Heroku key ; hrku- ; HRKU-[A-Za-z0-9_-]{36,}
DigitalOcean token ; dop_v1_|doo_v1_|dor_v1_ ; do[opr]_v1_[0-9a-f]{40,64}
DigitalOcean Spaces key ; do00|do80 ; DO[08]0[A-Z0-9]{16}
Mailgun key ; key-|pubkey- ; (?:pub)?key-[0-9a-z]{32}
Mailgun signing key ; LONG ; [0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}
Mailchimp key ; -us ; [0-9a-f]{32}-us\d{1,2}
Mandrill key ; md- ; md-[A-Za-z0-9_-]{22}
New Relic key ; nrak-|nrjs-|nrii-|nriq-|nrra-|nrsp-|nral ; (?:NR(?:AK|JS|II|IQ|RA|SP)-[A-Za-z0-9_-]{18,64}|[0-9a-f]{36}NRAL|(?:eu|us)\d\dxx[0-9a-f]{26,32}NRAL)
Datadog key ; ddapp_|ddapi_|ddpat_ ; dd(?:app|api|pat)_[A-Za-z0-9]{30,}
Shopify token ; shpat_|shpca_|shppa_|shpss_|shptka_|shpua_ ; shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}
Square token ; eaaa|sq0 ; (?:EAAA[A-Za-z0-9_-]{56,62}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,43})
PayPal token ; access_token$ ; access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}
Cloudflare key ; v1.0-|cfut_|cfat_|cfk_ ; (?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:ut|at|k)_[A-Za-z0-9_-]{40,})
Vault token ; hvs.|hvb.|hvr. ; hv[sbr]\.[A-Za-z0-9_-]{20,}
Vault token ; s. ; s\.(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{24}
Doppler token ; dp. ; dp\.(?:pt|st|ct|sa|scim|audit|said)(?:\.[a-z0-9_-]{2,35})?\.[A-Za-z0-9]{40,44}
Databricks token ; dapi|dkea|dose ; d(?:api|kea|ose)[0-9a-f]{32}(?:-\d)?
Docker token ; dckr_ ; dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}
Docker registry login ; @"auth" ; "auth"\s{0,3}:\s{0,3}"([A-Za-z0-9+/]{12,}={0,2})"
Linear key ; lin_ ; lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}
Notion token ; ntn_|secret_ ; (?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})
Figma token ; figd_|figo_|figu_|figor_|figur_ ; fig(?:d|o|u|or|ur|oh|uh|dr|dh)_[A-Za-z0-9_-]{30,}
Postman key ; pmak-|pmat- ; PM(?:AK|AT)-[0-9A-Za-z]{20,26}(?:-[0-9a-f]{34})?
Sentry token ; sntrys_|sntryu_|sntrya_|sntryi_ ; sntry[suai]_[A-Za-z0-9+/=_-]{40,}
Sentry DSN ; sentry.io ; https?://([0-9a-f]{32}(?::[0-9a-f]{32})?)@(?:o\d+\.)?(?:ingest\.)?(?:\w+\.)?sentry\.io
Terraform token ; .atlasv1. ; [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}
Pulumi token ; pul- ; pul-[0-9a-f]{40}
RubyGems key ; rubygems_ ; rubygems_[0-9a-f]{40,48}
crates.io token ; cio ; cio[A-Za-z0-9]{32}
Dropbox token ; sl. ; sl\.(?:u\.)?[A-Za-z0-9_-]{60,}
Facebook token ; eaa ; EAA[A-Za-z0-9]{60,}
Facebook app token ; | ; \d{13,17}\|[A-Za-z0-9_-]{24,40}
Twitter bearer token ; aaaaaaaaaaaaaaaaaaaa ; A{20,24}[A-Za-z0-9%]{40,}
Twitter access token ; LONG ; \d{8,20}-(?=[A-Za-z0-9]{0,30}[g-zG-Z])[A-Za-z0-9]{38,42}
LinkedIn secret ; wpl_ap ; WPL_AP\d\.[A-Za-z0-9_+/=.-]{10,}
Flutterwave key ; flwseck|flwpubk ; FLW(?:SECK|PUBK)(?:_TEST|_LIVE)?-[0-9a-zA-Z]{12,32}(?:-X)?
EasyPost key ; ezak|eztk ; EZ[AT]K[A-Za-z0-9]{50,60}
Alibaba access key ; ltai ; LTAI[A-Za-z0-9]{12,24}
Tencent secret id ; akid ; AKID[A-Za-z0-9]{32}
Yandex key ; aqvn|ajey|ycaj|yc|t1. ; (?:AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38}|t1\.[A-Za-z0-9_-]+={0,2}\.[A-Za-z0-9_-]{80,}={0,2})
Yandex OAuth token ; y0_|y1_|y2_|y3_ ; y[0-3]_[A-Za-z0-9_-]{40,}
SonarQube token ; sqp_|squ_|sqa_ ; sq[pua]_[0-9a-f]{40}
CircleCI token ; ccipat_|cciprj_ ; CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[0-9a-f]{40}
Buildkite token ; bkua_|bkct_|bkaj_ ; bk(?:ua|ct|aj)_[A-Za-z0-9]{30,}
Netlify token ; nfp_|nfo_|nfc_|nfu_|nfb_ ; nf[pocub]_[A-Za-z0-9]{32,}
Vercel token ; vcp_|vci_|vca_|vcr_|vck_ ; vc[piark]_[A-Za-z0-9]{24,}
Render key ; rnd_ ; rnd_[A-Za-z0-9]{24,}
Fly.io token ; fm1_|fm2_|fo1_ ; (?:fm[12][ar]?|fo1)_[A-Za-z0-9+/=_-]{40,}
Supabase key ; sbp_|sb_secret_ ; (?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})
PlanetScale token ; pscale_ ; pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}
Neon key ; napi_ ; napi_[a-z0-9]{40,}
Prefect key ; pnu_ ; pnu_[A-Za-z0-9]{36}
Replicate token ; r8_ ; r8_[A-Za-z0-9]{30,}
Groq key ; gsk_ ; gsk_[A-Za-z0-9]{40,}
xAI key ; xai- ; xai-[A-Za-z0-9]{60,}
Perplexity key ; pplx- ; pplx-[A-Za-z0-9]{40,}
LangSmith key ; lsv2_ ; lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}
Pinecone key ; pcsk_ ; pcsk_[A-Za-z0-9_]{40,}
NVIDIA key ; nvapi- ; nvapi-[A-Za-z0-9_-]{40,}
ElevenLabs key ; sk_ ; sk_[0-9a-f]{48}
Fireworks key ; fw_ ; fw_[A-Za-z0-9]{24,}
Tavily key ; tvly- ; tvly-[A-Za-z0-9-]{24,}
Firecrawl key ; fc- ; fc-[0-9a-f]{32}
Airtable token ; pat ; pat[A-Za-z0-9]{14}\.[0-9a-f]{64}
Asana token ; LONG ; [0-2]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}
Trello token ; atta ; ATTA[0-9a-f]{64}[A-Z0-9]{8}
HubSpot token ; pat-na|pat-eu ; pat-(?:na|eu)\d-[0-9A-Za-z]{8}(?:-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}
Contentful token ; cfpat- ; CFPAT-[A-Za-z0-9_-]{40,}
Dynatrace token ; dt0 ; dt0[a-z]\d\d\.[A-Z0-9]{20,30}\.[A-Z0-9]{40,70}
Duffel token ; duffel_ ; duffel_(?:test|live)_[A-Za-z0-9_=-]{43}
Typeform token ; tfp_ ; tfp_[A-Za-z0-9_.=-]{40,}
Shippo token ; shippo_ ; shippo_(?:live|test)_[0-9a-f]{40}
ReadMe key ; rdme_ ; rdme_[a-z0-9]{60,}
Brevo key ; xkeysib-|xsmtpsib- ; x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}
Resend key ; re_ ; re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}
Plaid token ; access- ; access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}
Razorpay key ; rzp_ ; rzp_(?:live|test)_[A-Za-z0-9]{14,}
Clojars token ; clojars_ ; CLOJARS_[0-9a-z]{60}
NuGet key ; oy2 ; oy2[a-z0-9]{43}
Artifactory token ; cmvmdgtu|akc ; (?:cmVmdGtu[A-Za-z0-9]{40,}|AKC[a-zA-Z0-9]{60,80})
Sourcegraph token ; sgp_|sgd_ ; sg[pd]_(?:[A-Za-z0-9]+_)?[0-9a-f]{40,}
Infracost key ; ico- ; ico-[A-Za-z0-9]{32}
Tailscale key ; tskey- ; tskey-[a-z]+-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?
Open VSX token ; ovsx ; ovsx(?:p_[0-9a-f-]{36}|at_[0-9a-f-]{36})
Teams webhook ; webhook.office.com ; webhook\.office\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}
Zapier webhook ; hooks.zapier.com ; hooks\.zapier\.com/hooks/catch/\d+/[a-z0-9]{5,}
Adobe secret ; p8e- ; p8e-[A-Za-z0-9_-]{32}
Octopus key ; api- ; API-[A-Z0-9]{26,32}
LaunchDarkly key ; sdk-|api- ; (?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}
Maxmind key ; _mmk ; [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
Scalingo token ; tk-us- ; tk-us-[A-Za-z0-9_-]{48}
Frame.io token ; fio-u- ; fio-u-[A-Za-z0-9_=-]{50,}
Harness token ; pat.|sat. ; [ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}
Defined token ; dnkey- ; dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}
Lob key ; live_|test_ ; (?:live|test)_[0-9a-f]{35}
htpasswd entry ; $apr1$|$2y$ ; :(\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$2y\$\d\d\$[./A-Za-z0-9]{53})
shadow entry ; :$ ; :(\$[156y]\$[^\s:]{8,}\$[./A-Za-z0-9]{20,}):
"""


def _rows() -> tuple[Pattern, ...]:
    rows = []
    for line in _TABLE.strip().splitlines():
        kind, words, regex = line.split(" ; ", 2)
        rows.append(Pattern(kind, tuple(words.split("|")) if words != "|" else ("|",), regex))
    return tuple(rows)


PATTERNS = _rows()
