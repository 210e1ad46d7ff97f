"""The words of an action in a tool's name, from its value or from what a code means."""

from __future__ import annotations

from mcpgen.plan.naming.identifiers import split_words

_ENGLISH = dict(pair.split(":") for pair in """
    查询:query 查看:view 查找:find 搜索:search 获取:get 详情:get_details 列表:list 取消:cancel 撤销:revoke 撤回:withdraw 退款:refund
    退货:return 删除:delete 移除:remove 清空:clear 清除:clear 作废:void 关闭:close 打开:open 开启:enable 启用:enable 禁用:disable
    停用:disable 激活:activate 冻结:freeze 解冻:unfreeze 锁定:lock 解锁:unlock 暂停:pause 恢复:resume 启动:start 开始:start
    停止:stop 终止:terminate 重启:restart 重置:reset 创建:create 新建:create 新增:add 添加:add 修改:update 更新:update 编辑:edit
    保存:save 提交:submit 审核:review 审批:approve 批准:approve 通过:approve 同意:approve 拒绝:reject 驳回:reject 确认:confirm
    发货:ship 收货:receive 支付:pay 转账:transfer 转移:transfer 发送:send 发布:publish 下架:delist 上架:list_for_sale 导出:export
    导入:import 同步:sync 备份:backup 还原:restore 注销:deregister 注册:register 登录:login 登出:logout 绑定:bind 解绑:unbind
    取得:get 検索:search 照会:query 削除:delete 作成:create 更新:update 返金:refund 停止:stop 開始:start 承認:approve 却下:reject
    조회:query 취소:cancel 삭제:delete 생성:create 수정:update 환불:refund 승인:approve 거절:reject
    """.split())
"""Common actions that documents name in Chinese, Japanese and Korean: their transliteration says nothing to most readers."""
_MOST = 5
_FILLERS = frozenset("a an the this that of".split())


def action_words(label: str) -> tuple[str, ...]:
    """The words of a value or of its meaning: `cancel`, `power_cycle`, `refund` for 退款; at most five."""
    plain = label.strip()
    for known in sorted(_ENGLISH, key=len, reverse=True):
        if plain == known or (not plain.isascii() and plain.startswith(known)):
            return (*_ENGLISH[known].split("_"), *_english_rest(plain.removeprefix(known)))
    words = split_words(plain)
    return tuple([word for word in words if word not in _FILLERS][:_MOST]) or words[:_MOST]


def _english_rest(text: str) -> tuple[str, ...]:
    """Latin letters after a known action stay; the object in another script is what the tool's name says anyway."""
    return split_words(text)[:2] if text.isascii() else ()
