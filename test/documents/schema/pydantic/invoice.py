"""Writes invoice.json: python3 invoice.py > invoice.json (with pydantic 2.13)."""

import json
from datetime import date
from enum import Enum
from typing import Generic, Literal, Optional, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Value = TypeVar("Value")


class Status(str, Enum):
    open = "open"
    paid = "paid"


class Address(BaseModel):
    """Where somebody is."""

    street: str
    city: Optional[str] = None


class Party(BaseModel):
    name: str = Field(description="The company.", examples=["ACME Ltd"])
    address: Address


class Measured(BaseModel, Generic[Value]):
    value: Value
    unit: Literal["h", "pc"] = "pc"


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    description: str
    quantity: Measured[float]
    position: Optional[int] = None


class Invoice(BaseModel):
    number: str = Field(json_schema_extra={"x-labels": ["Invoice no.", "Bill no."]})
    issued: date
    due: Optional[date] = Field(default=None, deprecated=True)
    status: Status = Status.open
    former_status: Optional[Status] = None
    kind: Literal["invoice"] = "invoice"
    supplier: Party
    customer: Optional[Party] = None
    tags: list[str] = []
    lines: list[Line]
    total: float
    is_paid: bool = False


print(json.dumps(Invoice.model_json_schema(), indent=2))
