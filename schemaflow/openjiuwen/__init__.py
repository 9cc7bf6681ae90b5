"""
openJiuwen's tool descriptions under their own names: cards, infos, and the manager that lists them.

Nothing is normalised here: parameters leave as they came, and adapting them is the
adapters' work. Any of these objects goes wherever a tool goes.

Source: openJiuwen agent-core, Python and Java. Where the two differ, the Java version's
behaviour is taken for lists (one of a name, the server filter obeyed), the Python
version's for arguments. Where both are wrong, this differs:

- the infos that a server gave are never changed, and listing twice gives the same names;
- a server that fails is told in `AbilityManager.failures` and hides no other server;
- arguments beyond the known properties are kept unless the schema forbids them, and an
  optional argument without a default stays absent instead of becoming null.
"""

from schemaflow.openjiuwen.abilities import AbilityManager
from schemaflow.openjiuwen.answers import Ability, AddAbilityResult, Call, ListingFailure
from schemaflow.openjiuwen.arguments import fill_arguments, parse_arguments, remove_nulls
from schemaflow.openjiuwen.cards import AgentCard, ExternalTool, McpServerConfig, McpToolCard, ToolCard, WorkflowCard
from schemaflow.openjiuwen.infos import McpToolInfo, Parameters, ToolInfo
from schemaflow.openjiuwen.reading import read_card, read_info

__all__ = [
    "Ability", "AbilityManager", "AddAbilityResult", "AgentCard", "Call", "ExternalTool", "ListingFailure",
    "McpServerConfig", "McpToolCard", "McpToolInfo", "Parameters", "ToolCard", "ToolInfo", "WorkflowCard",
    "fill_arguments", "parse_arguments", "read_card", "read_info", "remove_nulls",
]  # fmt: skip
