"""The door to detect-secrets, our second opinion: its patterns alone, line by line.

It is never asked through its own scanner: that would honour ``pragma: allowlist`` in the text and
call providers to verify what it found.  Its entropy plugins flag every hash, and an address is no
secret; they stay out (docs/decisions/0042-secrets.md).  Importing it takes longer than most commands.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

from aikb.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLUGINS = {
    "artifactory": "ArtifactoryDetector", "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector", "basic_auth": "BasicAuthDetector",
    "cloudant": "CloudantDetector", "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector", "gitlab_token": "GitLabTokenDetector",
    "ibm_cloud_iam": "IbmCloudIamDetector", "ibm_cos_hmac": "IbmCosHmacDetector",
    "jwt": "JwtTokenDetector", "keyword": "KeywordDetector", "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector", "openai": "OpenAIDetector", "private_key": "PrivateKeyDetector",
    "pypi_token": "PypiTokenDetector", "sendgrid": "SendGridDetector", "slack": "SlackDetector",
    "softlayer": "SoftlayerDetector", "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector", "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}  # fmt: skip
_FILTERS = (
    "is_sequential_string", "is_potential_uuid", "is_templated_secret",
    "is_prefixed_with_dollar_sign", "is_not_alphanumeric_string",
)  # fmt: skip


class Opinion(NamedTuple):
    """What detect-secrets thinks is a secret."""

    line: int
    kind: str
    value: str


class SecondOpinion:
    """detect-secrets, loaded when it is first asked.

    Raises:
        ToolError: it is not installed.
    """

    def __init__(self) -> None:
        try:
            self._plugins: list[Any] = [
                getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)()
                for module, name in _PLUGINS.items()
            ]
            filters = importlib.import_module("detect_secrets.filters.heuristic")
        except (ImportError, AttributeError) as error:
            raise ToolError(
                f"detect-secrets cannot be used: {error}", "Run `make ai-kb-init` again."
            ) from error
        self._filters = [getattr(filters, name) for name in _FILTERS]
        self._is_reference = filters.is_indirect_reference

    def of(self, text: str) -> Iterator[Opinion]:
        """What it thinks of each line of a text."""
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) < 8:
                continue
            for plugin in self._plugins:
                for value in plugin.analyze_string(line):
                    if value and not self._is_excused(value, line):
                        yield Opinion(number, plugin.secret_type.lower(), value)

    def _is_excused(self, value: str, line: str) -> bool:
        return any(excuse(value) for excuse in self._filters) or (
            len(line) < 1000 and self._is_reference(line)
        )
