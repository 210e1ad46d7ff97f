"""The tools of photos."""

from __future__ import annotations

from .._runtime import UNSET, Call, JsonObject, Result, Unset


async def upload_photo(
    call: Call, *, photo: JsonObject, caption: str | Unset = UNSET
) -> Result[None]:
    """Upload a photo with a caption. Returns: Stored. Each call takes effect again. Example:
    {"photo": {"content_base64": "<content_base64>"}}

    POST /photos
    """
    return await call.send(body={"photo": photo, "caption": caption})
