"""What the demo shows of Koog: one descriptor through both generators, as Koog has it and faithfully."""

from typing import Final

from rich.text import Text

from schemaflow.cli.findings import findings_table, summary
from schemaflow.cli.layout import laid_out
from schemaflow.cli.screen import console
from schemaflow.koog import (
    OllamaToolDescriptorSchemaGenerator,
    OpenAICompatibleToolDescriptorSchemaGenerator,
    parse_descriptors,
)

DESCRIPTOR: Final = """\
name: plan_trip
description: Plan a trip.
requiredParameters:
  - name: stops
    description: Where to go.
    type:
      type: List
      itemsType:
        type: Object
        properties:
          - {name: town, description: A town., type: String}
          - {name: nights, description: How long., type: Integer}
        requiredProperties: [town]
        additionalProperties: false
"""


def show_koog() -> None:
    """Show what Koog's two generators make of a descriptor, and what that costs."""
    screen = console()
    (descriptor,) = parse_descriptors(DESCRIPTOR, "plan_trip.yaml")
    screen.print()
    screen.print(Text("A tool descriptor of Koog's", style="bold"))
    screen.print(Text(DESCRIPTOR.rstrip(), style="dim"))
    for kind in (OpenAICompatibleToolDescriptorSchemaGenerator, OllamaToolDescriptorSchemaGenerator):
        for faithful in (False, True):
            generator = kind(faithful=faithful)
            report = generator.adapt(descriptor).report
            title = f"{generator.adapter.name}{', faithful' if faithful else ''}: "
            screen.print()
            screen.print(Text.assemble((title, "bold"), summary(report)))
            for line in laid_out(generator.generate(descriptor), min(screen.width, 100) - 4):
                screen.print(Text(f"  {line}"), no_wrap=True, overflow="ellipsis")
            if report.effect:
                screen.print(findings_table(report, screen.width))
