"""The verbs of API texts in other languages than English.

`STEMS` are the beginnings of words (Spanish, Portuguese, French, German, Italian, Russian); a stem that ends in
`$` is a whole word. `IDEOGRAMS` are looked for anywhere in a text, because Chinese, Japanese and Korean put no
spaces where we need them.
"""

from __future__ import annotations

from mcpgen.plan.effects.words import Act

_STEMS: dict[Act, str] = {
    Act.READ: """
        obten obtien consult busca$ buscar busque listar lista$ listado muestra mostrar devuelv devolv recuper
        visualiz leer$ descarg obter$ obtém retorna exib pesquis ver$ verific compruebe comprobar valida$ validar calcula$ calcular
        obtenir obtient récupér rechercher recherche$ lister liste$ affich lire$ télécharg renvoi retourne
        vérifi calcule$ consulter abruf holt$ holen$ lesen$ liest$ suche$ suchen sucht$ auflist anzeig
        liefert prüf berechn zeigt$ zeige$ ottien ottenere cerca$ elenc mostra$
        получ поиск найти список просмотр прочит провер возвра вернуть скача рассчит запросить показ чтение
        предпросмотр посмотр""",
    Act.CREATE: """
        crear$ crea$ cree$ creación creaci registra$ registrar inserta añad agreg subir$ sube$ importar genera$ generar
        criar$ cria$ criação cadastr inserir insere adicion iniciar-sesi comprar compra$
        créer$ crée$ creer$ création ajout enregistrer insér téléverser générer achet connexion$
        erstell anleg legt$ hinzufüg hinzuzufüg fügt$ hochlad lädt$ erzeug anmeld registrier einfüg buchen$ bucht$ kauf
        creare$ aggiung созда добав загруз регистр оформ войти$ вход$ авториз купить покупк""",
    Act.SEND: """
        enviar envía envia$ envio$ envíe notifica notifiqu manda$ mandar envoie envoyer envoi$ notifier
        senden$ sendet$ versend verschick benachrichtig invia$ inviare отправ послать уведом рассыл пригла""",
    Act.UPDATE: """
        actualiz modific edita$ editar cambia asigna configur establec aprueb aprobar rechaz
        atualiz altera$ alterar alteração muda$ mudar defin atribu aprov rejeit
        modifi modifie changer$ change$ défini attribu remplac approuv rejet
        aktualisier änder aender bearbeit setzen$ setzt$ ersetz zuweis speicher genehmig ablehn aggiorn
        обнов измен редактир установ назнач замен настро сохран подтверд одобр отклон пометить перемест""",
    Act.TOGGLE: """
        activa$ activar desactiv habilit deshabilit bloque desbloque archiv pausa$ pausar reanud ativa$ ativar desativ desabilit
        arquiv activer$ active$ désactiv verrouill déverrouill aktivier deaktivier sperr entsperr archivier pausier
        включ выключ отключ заблокир разблокир архив разархив актив деактив приостан возобнов скрыть
        закрепит открепит восстанов""",
    Act.START: """
        ejecut inicia$ iniciar lanz executa lança exécut lanc démarr ausführ führt$ starte$ startet$ starten$ avvia
        запуск запуст выполн""",
    Act.RENEW: "sincroniz synchronis neustart перезапус синхрониз",
    Act.DESTROY: """
        elimin borra suprim anula cancel revoc quita restablec vaciar vacía finaliza cerrar$ cierra$ desvincul
        exclui exclusão exclusao deletar deleta$ remov apag revog redefin encerr sair$ supprim effac annul retir révoqu réinitialis vider$
        dissoci déconnex lösch loesch entfern stornier widerruf kündig abbrech bricht$ abmeld zurücksetz beend
        trenn cancella rimuov удал отмен отозв отзыв сброс очист стере заверш аннулир выйти$ выход$ уничтож
        прекра снять исключ""",
    Act.ROTATE: "regenera rotar$ rotation$ перевыпус",
    Act.PAYOUT: "reembols estorn rembours transfér transferir überweis erstatt rückerstatt auszahl rimbors перевод перевест вывести$ возмест",
}

_IDEOGRAMS: dict[Act, str] = {
    Act.READ: """
        查询 查看 获取 搜索 列表 列出 检查 校验 验证 预览 查找 检索 读取 统计 详情 下载 计算 判断 是否 拉取 分页 浏览 展示
        比较 对比 估算 试算 测算 识别 解析 翻译 取得 一覧 検索 参照 照会 表示 閲覧 ダウンロード 조회 검색 목록 가져오기 다운로드""",
    Act.CREATE: """
        创建 新增 添加 新建 增加 上传 插入 注册 登录 登陆 提交 生成 导入 复制 申请 预订 下单 购买 支付 发起 评论 加签 作成 登録
        追加 アップロード ログイン 購入 予約 생성 추가 등록 업로드 로그인""",
    Act.SEND: "发送 推送 通知 邀请 发布 转发 群发 提醒 广播 回复 上报 送信 招待 전송 발송 알림",
    Act.LINK: "关注 收藏 点赞 绑定 加入 授权 分享 关联",
    Act.UPDATE: """
        更新 修改 编辑 设置 变更 配置 重命名 移动 同意 审批 审核 批准 拒绝 驳回 确认 完成 标记 调整 替换 转换 升级 排序 置顶 分配
        更改 変更 編集 設定 承認 却下 수정 변경 업데이트 설정 승인 거절""",
    Act.SAVE: "保存",
    Act.TOGGLE: """
        启用 禁用 停用 开启 关闭 锁定 解锁 归档 禁言 解禁 冻结 解冻 恢复 暂停 取消关注 取消收藏 取消点赞 取消置顶 取消禁言
        取消归档 取消拉黑 上架 下架 隐藏 拉黑 挂起 有効化 無効化 アーカイブ ロック 復元 활성화 비활성화 잠금""",
    Act.START: "执行 触发 启动 运行 调用 部署 开始 导出 备份 実行 開始 エクスポート 실행 시작",
    Act.RENEW: "刷新 同步 重启 重新加载 重建 再起動 同期 동기화 재시작",
    Act.DESTROY: """
        删除 移除 清空 取消 撤销 撤回 作废 注销 退出登录 登出 退出 踢出 踢 终止 结束 解除 解绑 卸载 重置 回滚 合并 解散 吊销 清除
        清理 销毁 中止 废弃 移出 退订 解约 离开 丢弃 撤单 失效 转移 停止 削除 キャンセル 取消 取り消 解約 終了 リセット ログアウト 破棄
        抹消 初期化 삭제 취소 제거 초기화 로그아웃 해지""",
    Act.ROTATE: "轮换 重新生成 重新签发 再発行 재발급",
    Act.PAYOUT: "退款 转账 提现 打款 代付 汇款 退费 返金 送金 振込 환불 송금",
}

STEMS: dict[str, Act] = {stem: act for act, text in _STEMS.items() for stem in text.split()}
IDEOGRAMS: dict[str, Act] = {word: act for act, text in _IDEOGRAMS.items() for word in text.split()}

IDEOGRAM_NOUNS = frozenset(
    "登录 登陆 注册 审批 审核 申请 通知 导入 导出 评论 支付 发送 下载 上传 预订 备份 部署 配置 设置 退款 转账 提现 打款 统计 分享"
    " 收藏 关注 授权 登録 設定 送金 返金 通过 返金 合并 转移 解析 识别 运行 执行 发布".split()
)
"""Those that are as often nouns: before a word that looks ("退款查询") they are the object."""

IDEOGRAM_MODIFIERS = (
    "批量",
    "手动",
    "强制",
    "立即",
    "一键",
    "异步",
    "永久",
    "管理员",
    "自动",
    "定时",
    "重新",
    "一括",
    "彻底",
    "快速",
)
IDEOGRAM_PREPOSITIONS = (
    "根据",
    "按照",
    "按",
    "通过",
    "基于",
    "使用",
    "将",
    "对",
    "为",
    "从",
    "向",
    "给",
    "在",
    "把",
    "用",
)
IDEOGRAM_PARTICIPLES = "已被可待未不所正曾能需应"
IDEOGRAM_SOFT = (
    "置顶",
    "关注",
    "收藏",
    "点赞",
    "禁言",
    "拉黑",
    "锁定",
    "屏蔽",
    "免打扰",
    "隐藏",
    "星标",
    "归档",
    "冻结",
)
IDEOGRAM_ENDINGS = (
    "する",
    "します",
    "接口",
    "功能",
    "操作",
    "处理",
    "API",
    "api",
    "하기",
    "합니다",
    "する。",
    "。",
    ".",
    "です",
)


def stem_act(word: str) -> Act | None:
    """What a word of another language does, by its longest stem."""
    if (act := STEMS.get(word + "$")) is not None:
        return act
    return next((STEMS[word[:size]] for size in range(len(word), 3, -1) if word[:size] in STEMS), None)
