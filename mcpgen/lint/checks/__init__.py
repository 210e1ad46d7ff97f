"""The checks, each a function from the context to its findings; a module for each subject."""

from mcpgen.lint.checks.answers import check_answers
from mcpgen.lint.checks.behaviour import check_behaviour
from mcpgen.lint.checks.document import check_document
from mcpgen.lint.checks.examples import check_examples
from mcpgen.lint.checks.headers import check_headers
from mcpgen.lint.checks.likeness import check_likeness
from mcpgen.lint.checks.naming import check_naming
from mcpgen.lint.checks.operation_ids import check_operation_ids
from mcpgen.lint.checks.parameters import check_parameters
from mcpgen.lint.checks.paths import check_paths
from mcpgen.lint.checks.purpose import check_purpose
from mcpgen.lint.checks.quantities import check_quantities
from mcpgen.lint.checks.schemas import check_schemas
from mcpgen.lint.checks.security import check_security
from mcpgen.lint.checks.servers import check_servers
from mcpgen.lint.checks.sizes import check_sizes
from mcpgen.lint.checks.texts import check_texts
from mcpgen.lint.checks.usage import check_usage
from mcpgen.lint.context import Check

CHECKS: tuple[Check, ...] = (
    check_purpose,
    check_usage,
    check_behaviour,
    check_parameters,
    check_quantities,
    check_schemas,
    check_paths,
    check_examples,
    check_sizes,
    check_naming,
    check_operation_ids,
    check_likeness,
    check_answers,
    check_security,
    check_servers,
    check_headers,
    check_texts,
    check_document,
)

__all__ = ["CHECKS"]
