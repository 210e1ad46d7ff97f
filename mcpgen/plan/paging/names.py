"""What APIs call the parts of paging. Names are folded: `nextPageToken`, `next_page_token` and `next-page-token` are one.

Collected from the conventions of web frameworks (Django, Laravel, Spring, Rails), of standards (OData, JSON:API, SCIM,
FHIR, AIP-158) and of public APIs.
"""

from __future__ import annotations

from functools import lru_cache

from mcpgen.plan.naming.identifiers import singular, split_words

Names = frozenset[str]


def _names(text: str) -> Names:
    return frozenset(text.split())


# -- arguments ---------------------------------------------------------------------------------

CURSOR = _names(
    "cursor pagecursor nextcursor startcursor aftercursor cursorafter paginationcursor cursorid cursormark "
    "after pageafter afterid startafter startingafter pagetoken pagingtoken nextpagetoken nexttoken starttoken "
    "startingtoken continuationtoken continuetoken paginationtoken continuation continue skiptoken resumetoken "
    "resumptiontoken marker nextmarker pagemarker keymarker startmarker scrollid bookmark pagestate pagebookmark "
    "exclusivestartkey startkey lastkey lastevaluatedkey nextkey paginationkey pagekey startid nextid lastid "
    "nextpageid nextrecordid nextpage nextpagekey nextpagecursor pageidentifier startingpoint "
)
"""Arguments that can't mean anything else than where to go on."""
CURSOR_TEXT = _names("offset page start from next position token key since pageid")
"""Arguments that are a cursor when they are texts and the answer has a field for them."""
OFFSET = _names(
    "offset skip startat startindex startrow firstresult pageoffset pagingoffset startoffset offsetstart recordoffset "
    "startposition firstrecord startfrom displaystart resultoffset rowstart startrecord containerstart offsetrow "
    "pageskip itemoffset rowoffset skipcount skiprows getpagesoffset"
)
OFFSET_MAYBE = _names("start from begin first position")
"""Offsets only when they are numbers, beside a size, with an answer that tells about pages."""
PAGE = _names(
    "page pagenumber pageno pagenum pageindex pagenr currentpage curpage pagecurrent p pg pn paged pagina seite "
    "requestpage pagepage currentpageno paginationpage"
)
PAGE_MAYBE = _names("current number")
"""Page numbers only beside a size."""
SIZE = (
    "pagesize perpage limit size pagelimit pagelen pagelength maxresults hitsperpage itemsperpage resultsperpage "
    "recordsperpage rowsperpage maxitems maxkeys maxrecords maxpagesize pagemaxsize pageperpage top take count rows "
    "amount first length num batchsize containersize displaylength rpp ps per psize max maxcount numresults pagingsize "
    "recordcount rowcount resultlimit limite fetch n"
).split()
"""How many items a page has; the clearest name first."""

# -- answers -----------------------------------------------------------------------------------

ENVELOPE = _names(
    "data result results response responses body payload meta metadata page pages paging pagination paginator pageinfo "
    "pageable links link cursor cursors responsemetadata listmetadata mediacontainer embedded hits next nextpage "
    "list info summary resultset resultinfo resultmetadata resultsetmetadata content output headers collection "
    "searchresults pagingmetadata paginationmetadata paginationinfo pageinformation navigation after total "
    "responseheader searchinformation queryinfo listinfo pagecontext"
)
"""Objects around a list that are worth a look inside."""
ITEMS = _names(
    "data items item results result records record rows values value entries entry list content contents elements hits "
    "objects docs documents resources members member edges nodes entities features collection resultlist datalist "
    "datas matches rowset children searchresults response page"
)
NOT_ITEMS = _names(
    "errors error warnings warning included facets aggregations aggs sort sorts orderings columns headers breadcrumbs "
    "previous violations includes fields warningmessages errormessages"
)
"""Lists beside the items."""
MAYBE_ITEMS = _names(
    "messages links filters notices details tags actions attributes categories labels options permissions"
)
"""Lists beside the items, if there is a better one."""
MORE = _names(
    "hasmore hasnext hasnextpage hasmoreitems hasmorepages hasmoreresults more moreresults moreavailable morerecords "
    "moredata hasmoredata hasmorerecords hasnextresults istruncated truncated nextpageexists hasmorepage nexthas"
)
LAST = _names("islast islastpage lastpage last isend isfinal isfinished nomore endoflist islastpages")
TOTAL = _names(
    "total totalcount totalresults totalitems totalelements totalrecords totalhits totalsize totalentries totalrows "
    "totalnumber totalnum totalitemcount totalresultcount totalrecordcount totalobjects totalmatches totalrow "
    "recordstotal recordsfiltered nbhits numfound itemcount itemscount itemtotal resultcount resultscount resultstotal "
    "odatacount filteredcount matchcount matched hitcount hitscount countall fullcount allcount overallcount "
    "totalavailable numberofresults numberofitems numberofrecords numtotal recordcount foundcount"
)
TOTAL_MAYBE = _names("count size length num found")
"""How many there are, or how many are on this page: other evidence decides."""
PAGES = _names(
    "totalpages pages pagecount nbpages pagestotal totalpagecount lastpage numpages numberofpages pagetotal maxpage "
    "totalpage pageamount countpages lastpagenumber"
)
PER_PAGE = _names(
    "perpage pagesize limit pagelen maxresults hitsperpage itemsperpage resultsperpage pagelimit maxperpage recordsperpage"
)
AT_PAGE = _names("page pagenumber currentpage number pageno pagenum pageindex current curpage")
AT_OFFSET = _names("offset startat startindex skip start from startposition firstresult startrow")
REMAINING = _names("remainingitemcount remainingitems")
NEXT_LINK = _names(
    "next nextlink nexturl nexthref nexturi nextpageurl nextpagelink nextpageuri nextpagehref odatanextlink nextpage "
    "nextresultsurl nextresults nextpath linknext nextset nextpagepath"
)
NEXT_CURSOR = _names(
    "nextcursor nextpagetoken nextpage nexttoken nextmarker nextkey nextid nextoffset nextstart nextcursormark "
    "nextpagecursor nextcontinuationtoken continuationtoken continuation continue endcursor scrollid bookmark "
    "nextpagekey nextrecordid nextpageid nextpagemarker cursornext aftercursor next pagingtoken nextbookmark "
    "lastevaluatedkey nextpagestate nextstartkey resumptiontoken nextstartid nextafter nextposition nextfrom "
    "nextskip nextskiptoken paginationtoken nextindex nextscrollid nextcursorid nextpagination"
)
NEXT_NUMBER = _names(
    "nextoffset nextstart nextskip nextindex nextfrom nextstartat nextpagenumber nextpageno nextpageindex"
)
"""The number of the next page or item."""
SPRING = _names("totalelements numberofelements")
ZERO_BASED = SPRING | _names("nbpages")
"""Fields of answers whose authors number pages from 0, in and out."""
PAGE_INDEX = _names("pageindex")
SCIM = _names("startindex")
"""RFC 7644, 3.4.2.4 numbers results from 1."""

RESPONSE_NAMES = (
    ENVELOPE | MORE | LAST | TOTAL | TOTAL_MAYBE | PAGES | PER_PAGE | AT_PAGE | AT_OFFSET | REMAINING
) | (
    NEXT_LINK
    | NEXT_CURSOR
    | NEXT_NUMBER
    | CURSOR
    | _names("cursor offset token url uri href value after lastid previous prev")
)
CONTAINERS = _names(
    "page paging pagination pageinfo pagerequest pageable pageparams pageoptions paginate options filter body request "
    "params query listoptions pagedto pageparam pagequery cursor"
)
"""Arguments that are objects and can hold those of paging."""


@lru_cache(maxsize=1 << 15)
def folded(name: str) -> str:
    """A name in lower case without separators, in ASCII."""
    return "".join(split_words(name))


@lru_cache(maxsize=1 << 13)
def words(name: str) -> tuple[str, ...]:
    """The words of a name, the last one in the singular."""
    found = split_words(name)
    return (*found[:-1], singular(found[-1])) if found else ()


def header_names(name: str) -> Names:
    """The folded spellings of a header's name, without the `X` and the vendor before it."""
    parts = [folded(part) for part in name.split("-")]
    parts = parts[1:] if len(parts) > 1 and parts[0] == "x" else parts
    return frozenset({"".join(parts), "".join(parts[1:])}) - {""}
