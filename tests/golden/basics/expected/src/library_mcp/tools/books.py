"""The tools of books."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.shared import Book


async def get_book(call: Call, *, isbn: str) -> Result[Book]:
    """Look up one book. Returns: Book with title, isbn, genre, published, pages. Fails: 404: There
    is no such book. Read-only. To find isbn, use search_books.

    GET /books/{isbn}
    """
    return await call.send(path={"isbn": isbn})


async def remove_book(call: Call, *, isbn: str) -> Result[None]:
    """Remove a book from the catalogue for good. Returns: It is gone. Destructive: it can't simply
    be undone. To find isbn, use search_books. To look up one book, use get_book.

    DELETE /books/{isbn}
    """
    return await call.send(path={"isbn": isbn})


async def search_books(
    call: Call,
    *,
    q: str | Unset = UNSET,
    genre: list[Literal["novel", "poetry", "science"]] | Unset = UNSET,
    page: int | Unset = UNSET,
    x_branch: str | Unset = UNSET,
) -> Result[list[Book]]:
    """Search the shelves. Returns books whose title or author matches, the newest first. Returns:
    The matching books. Read-only. For one book by its id, use get_book. Example: {"q": "<q>"}

    GET /books
    """
    return await call.send(
        query={"q": q, "genre": genre, "page": page}, header={"X-Branch": x_branch}
    )
