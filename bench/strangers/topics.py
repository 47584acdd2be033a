"""What the sources are about: thirteen topics, each with the fields of its records and how they are put into words."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """``say`` puts a record's value into words; ``{id}`` is the record, ``{v}`` the value."""

    name: str
    label: str
    kind: str  # "category", "name", "number", "date", "reason"
    say: str
    values: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    digits: int = 0
    unit: str = ""


class Topic(NamedTuple):
    noun: str
    plural: str
    key: str
    form: str  # of the ids
    outcome: str  # the field that says how it went
    good: str
    bad: str
    says: dict[str, str]  # outcome -> "was delivered"
    fields: tuple[Field, ...]
    reasons: tuple[str, ...] = ()  # why some went badly; the source then says so


def category(name: str, label: str, say: str, *values: str) -> Field:
    return Field(name, label, "category", say, values)


def named(name: str, label: str, say: str, *values: str) -> Field:
    return Field(name, label, "name", say, values)


def number(name: str, label: str, say: str, low: float, high: float, unit: str = "", digits: int = 0) -> Field:
    return Field(name, label, "number", say, (), low, high, digits, unit)


def day(name: str, label: str, say: str) -> Field:
    return Field(name, label, "date", say)


CITIES = ("Oslo", "Lyon", "Porto", "Graz", "Turin", "Ghent", "Malmö", "Cork")
PEOPLE = (
    "Ann Berg",
    "Luis Ortega",
    "Mei Chen",
    "Tom Novak",
    "Sara Lind",
    "Omar Haddad",
    "Ida Falk",
    "Jan Kowalski",
    "Eva Moretti",
    "Paul Weber",
    "Nina Rossi",
    "Karl Aho",
)
VERSIONS = ("1.4.2", "1.5.0", "2.0.1", "2.1.0", "3.0.0-rc1", "1.4.9")

TOPICS = (
    Topic(
        "order",
        "orders",
        "orderId",
        "ORD-<5d>",
        "status",
        "delivered",
        "cancelled",
        {"delivered": "was delivered", "cancelled": "was cancelled", "returned": "was returned"},
        (
            category("carrier", "carrier", "{id} was shipped by {v}", "DHL", "UPS", "PostNord", "FedEx"),
            category("city", "city", "{id} went to {v}", *CITIES),
            named("customer", "customer", "{id} was placed by {v}", *PEOPLE),
            number("amountEur", "amount", "{id} cost {v}", 20, 4000, "EUR", 2),
            day("ordered", "order date", "{id} was placed on {v}"),
        ),
    ),
    Topic(
        "deployment",
        "deployments",
        "deploymentId",
        "dep-<6h>",
        "result",
        "succeeded",
        "failed",
        {"succeeded": "succeeded", "failed": "failed", "aborted": "was aborted"},
        (
            category("environment", "environment", "{id} went to {v}", "staging", "production", "canary"),
            category("service", "service", "{id} deployed {v}", "checkout", "ledger", "search", "gateway"),
            named("version", "version", "{id} shipped version {v}", *VERSIONS),
            named("author", "author", "{id} was started by {v}", *PEOPLE),
            number("seconds", "duration", "{id} took {v}", 20, 900, "s"),
            day("day", "date", "{id} ran on {v}"),
        ),
        ("image pull timed out", "health check returned 503", "migration lock was held", "quota exceeded in zone b"),
    ),
    Topic(
        "user",
        "users",
        "login",
        "<6l><2d>",
        "state",
        "active",
        "suspended",
        {"active": "is active", "suspended": "is suspended", "invited": "is invited"},
        (
            category("role", "role", "{id} has the role {v}", "admin", "editor", "viewer"),
            category("country", "country", "{id} lives in {v}", "Norway", "France", "Portugal", "Austria"),
            named("fullName", "full name", "{id} is {v}", *PEOPLE),
            number("logins", "number of logins", "{id} logged in {v} times", 0, 2400),
            day("created", "creation date", "{id} was created on {v}"),
        ),
    ),
    Topic(
        "flight",
        "flights",
        "flight",
        "<2u><3d>",
        "status",
        "departed",
        "cancelled",
        {"departed": "departed", "cancelled": "was cancelled", "diverted": "was diverted"},
        (
            category("origin", "origin", "{id} starts in {v}", *CITIES[:4]),
            category("destination", "destination", "{id} flies to {v}", *CITIES[4:]),
            category("aircraft", "aircraft", "{id} uses an {v}", "A320", "A350", "B738"),
            number("passengers", "number of passengers", "{id} carried {v} passengers", 40, 310),
            number("delayMinutes", "delay", "{id} was {v} late", 1, 240, "min"),
            day("date", "date", "{id} flew on {v}"),
        ),
        ("crew shortage", "bird strike", "fog at the destination"),
    ),
    Topic(
        "ticket",
        "tickets",
        "key",
        "SUP-<4d>",
        "status",
        "resolved",
        "reopened",
        {"resolved": "was resolved", "reopened": "was reopened", "open": "is open"},
        (
            category("priority", "priority", "{id} has priority {v}", "low", "medium", "high", "urgent"),
            named("assignee", "assignee", "{id} is assigned to {v}", *PEOPLE),
            category("component", "component", "{id} concerns {v}", "billing", "login", "export", "search"),
            number("comments", "number of comments", "{id} has {v} comments", 0, 60),
            day("opened", "opening date", "{id} was opened on {v}"),
        ),
    ),
    Topic(
        "invoice",
        "invoices",
        "invoice",
        "INV-2026-<4d>",
        "status",
        "paid",
        "overdue",
        {"paid": "was paid", "overdue": "is overdue", "disputed": "is disputed"},
        (
            named(
                "customer", "customer", "{id} was sent to {v}", "Northwind", "Lumen", "Fjord AS", "Baltic Foods", "Acme"
            ),
            category("method", "method", "{id} goes by {v}", "transfer", "card", "debit"),
            number("totalEur", "invoice total", "{id} amounts to {v}", 100, 90000, "EUR", 2),
            day("due", "due date", "{id} is due on {v}"),
        ),
    ),
    Topic(
        "server",
        "servers",
        "host",
        "web-<3d>",
        "health",
        "healthy",
        "degraded",
        {"healthy": "is healthy", "degraded": "is degraded", "down": "is down"},
        (
            category("region", "region", "{id} runs in {v}", "eu-west-1", "us-east-1", "ap-south-1"),
            category("os", "operating system", "{id} runs {v}", "Debian", "Ubuntu", "Alpine"),
            number("memoryMb", "memory use", "{id} uses {v} of memory", 256, 64000, "MB"),
            number("cpuPercent", "CPU load", "{id} has a CPU load of {v}", 1, 99, "%", 1),
            day("patched", "patch date", "{id} was patched on {v}"),
        ),
        ("disk /dev/sda1 full", "fan failure", "memory errors in bank 2"),
    ),
    Topic(
        "shipment",
        "shipments",
        "tracking",
        "TRK<8d>",
        "state",
        "arrived",
        "lost",
        {"arrived": "arrived", "lost": "was lost", "held": "was held"},
        (
            category("port", "port", "{id} passed {v}", "Rotterdam", "Hamburg", "Genoa", "Le Havre"),
            category("vessel", "vessel", "{id} sailed on {v}", "Aurora", "Bergen Star", "Calypso"),
            number("weightKg", "weight", "{id} weighs {v}", 50, 22000, "kg"),
            day("loaded", "loading date", "{id} was loaded on {v}"),
        ),
    ),
    Topic(
        "sample",
        "samples",
        "sample",
        "S<4d>",
        "call",
        "valid",
        "contaminated",
        {"valid": "is valid", "contaminated": "is contaminated", "empty": "is empty"},
        (
            category("plate", "plate", "{id} is on {v}", "P1", "P2", "P3", "P4"),
            category("organism", "organism", "{id} holds {v}", "E. coli", "B. subtilis", "S. cerevisiae"),
            number("reads", "number of reads", "{id} has {v} reads", 500, 980000),
            number("gcPercent", "GC content", "{id} has a GC content of {v}", 30, 65, "%", 1),
            day("taken", "sampling date", "{id} was taken on {v}"),
        ),
    ),
    Topic(
        "test",
        "tests",
        "test",
        "tests/test_<6l>.py::test_<5l>",
        "outcome",
        "passed",
        "failed",
        {"passed": "passed", "failed": "failed", "skipped": "was skipped"},
        (
            category("suite", "suite", "{id} belongs to {v}", "unit", "integration", "smoke"),
            number("ms", "duration", "{id} took {v}", 3, 9800, "ms"),
            day("run", "date", "{id} ran on {v}"),
        ),
        ("expected 3 rows, got 2", "connection refused on port 5432", "KeyError: 'total'", "timeout after 30 s"),
    ),
    Topic(
        "request",
        "requests",
        "requestId",
        "req-<8h>",
        "result",
        "completed",
        "rejected",
        {"completed": "completed", "rejected": "was rejected", "expired": "expired"},
        (
            category("method", "method", "{id} is a {v} request", "GET", "POST", "PUT", "DELETE"),
            category("path", "path", "{id} asked for {v}", "/v1/items", "/v1/carts", "/v1/login", "/v2/export"),
            number("ms", "duration", "{id} took {v}", 2, 15000, "ms"),
            number("bytes", "size", "{id} returned {v}", 120, 900000, "bytes"),
            day("day", "date", "{id} came on {v}"),
        ),
        ("rate limit reached", "signature mismatch", "body too large"),
    ),
    Topic(
        "backup",
        "backups",
        "backup",
        "bk-<4d>",
        "status",
        "complete",
        "corrupt",
        {"complete": "is complete", "corrupt": "is corrupt", "partial": "is partial"},
        (
            category("database", "database", "{id} holds {v}", "orders", "ledger", "users"),
            category("bucket", "bucket", "{id} is stored in {v}", "s3://cold-a", "s3://cold-b"),
            number("sizeGb", "size", "{id} has a size of {v}", 10, 5000, "GB"),
            day("made", "date", "{id} was made on {v}"),
        ),
    ),
    Topic(
        "file",
        "files",
        "path",
        "src/<6l>/<7l>.py",
        "change",
        "modified",
        "deleted",
        {"modified": "was modified", "deleted": "was deleted", "added": "was added"},
        (
            number("plus", "number of added lines", "{id} gained {v} lines", 1, 12),
            number("minus", "number of removed lines", "{id} lost {v} lines", 1, 9),
        ),
    ),
)
