"""The second half of ``credential_notes``: what has no mark of its own, and is known by its words."""

from __future__ import annotations

SPOKEN = r"""
@netrc
machine mail.example.org
  login ann
  password {w12}
@netrc
machine api.example.org login ann@example.org password {p}
@netrc
default login anonymous password {w14}
@authinfo
machine smtp.example.org login ann port 587 password "{w16}"
@Authorization header
curl -s -H "Authorization: Bearer {w40}" https://api.example.org/v1/me
@Authorization header
http GET api.example.org Authorization:"Token {h40}"
@Authorization header
headers = {"Authorization": "Basic {b28}"}
@Authorization header
req.Header.Set("Authorization", "Bearer {u43}")
@Authorization header
"authorization": "Bearer {w36}",
@Authorization header
-H 'X-Auth-Token: {h32}'
@Authorization header
fetch(url, { headers: { 'x-api-key': '{w40}' } })
@password
password = "{p}"
@password
db:
  user: app
  password: {p}
@password
{"username": "ann", "password": "{p}"}
@password
export MYSQL_PWD='{p}'
@password
DB_PASS={p} make run
@password
The wifi is called notes, password {p}
@password
- login :: ann
- password :: {p}
@password
Login: ann / Password: {p}
@password
:PASSWORD: {p}
@password
root password: =Quartz!{d4}=
@password
ansible_become_pass: "{p}"
@password
ENV ADMIN_PASSWORD={p}
@password
mysqldump -u root -p'{p}' shop > shop.sql
@password
sshpass -p '{p}' rsync -a x ann@host:
@password
echo '{p}' | sudo -S apt update
@password
smbclient //nas/share -U ann%{p}
@password
openssl enc -aes-256-cbc -pass pass:{w14} -in x
@password
keytool -storepass {w12} -list
@password
<property name="password" value="{p}"/>
@password
<Password>{p}</Password>
@password
define('DB_PASSWORD', '{p}');
@password
$config['password'] = '{p}';
@password
password => '{p}',
@password
conn = psycopg2.connect(host="db", user="app", password="{p}")
@password
net use Z: \\nas\share /user:ann {p} (password)
@password
Passwort: {p}
@password
mot de passe : {p}
@password
the new passphrase is "{w12}"
@password
PIN and password: {p}
@password
curl --user ann:{p} https://api.example.org
@password
wget --http-user=ann --http-password={p} https://x.example.org
@password
ldapsearch -D cn=admin -w {p} -b dc=example
@password
user=ann&password={w12}&remember=1
@password
set-option password {p}
@password
| host | login | password |
|------+-------+----------|
| nas  | ann   | {p} |
@password
password = correcthorse{l12}
@token
API_KEY = "{w32}"
@token
secret_key: {w50}
@token
SECRET_KEY_BASE={h64}{h64}
@token
client_secret: "{u40}"
@token
access_token = {w40}
@token
"refreshToken": "{u60}"
@token
apiKey: '{h32}'
@token
x.setApiKey("{w32}")
@token
JWT_SECRET={w32}
@token
signing_secret = '{h32}'
@token
mytool --api-key {w32} run
@token
https://api.example.org/v1/data?api_key={w32}&q=x
@token
https://api.example.org/v1/data?access_token={h40}
@token
[[https://api.example.org/feed?token={w32}][my private feed]]
@token
api token: {w40}
@token
The API key is ~{w32}~ and goes into the header.
@token
- Key: {h32} (api)
@token
webhook_secret: {h40}
@token
vault write secret/x token={w28}
@token
kubectl create secret generic x --from-literal=token={w40}
@token
ENCRYPTION_KEY=base64:{b43}=
@token
COOKIE_SECRET="{b43}="
""".strip("\n")
