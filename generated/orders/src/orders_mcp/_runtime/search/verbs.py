"""Verbs of requests, one concept a line, by what they do to things. See `concepts` for how lines are read."""

from __future__ import annotations

from enum import StrEnum


class Sense(StrEnum):
    """What somebody wants, or what a tool does, with the thing that it is about."""

    LOOK = "look"
    ADD = "add"
    CHANGE = "change"
    END = "end"
    RUN = "run"


VERBS: dict[Sense, str] = {
    Sense.LOOK: """
get fetch retrieve read show view see display look give pull obtain return inspect open detail details info information | 获取 查看 看看 看下 看一 查下 查一 查查 给我看 拿到 调取 读取 取得 显示 看看 详情 信息 | 取得 表示 参照 見せて 詳細 | 조회 가져오 보여 확인 상세 | zeig* hol* abruf* anzeig* lesen liest | affich* montr* obten* voir recuper* consult* lire detail* | mostr* obten* muestr* ver consult* detall* | exib* obter ver | vedere ottien* leggi* dettagl* | покаж* показ* получ* посмотр* узна* подробн* | toon* haal* bekijk* | pokaz* pobierz* | goster* getir*
list lists all every each enumerate index browse overview listing catalogue | 列表 列出 所有 全部 有哪些 哪些 清单 | 一覧 全て すべて リスト | 목록 전체 모든 모두 | list* alle auflist* ubersicht | list* tous toutes enumer* | list* todos todas | tutti tutte elenc* | список списк* все всех перечисл* | alle lijst* | wszystkie lista | tum listele*
find search query lookup look_up locate seek filter match matching discover | 查找 搜索 搜一 搜下 找一 找出 找到 检索 查询 筛选 | 検索 探して 絞り込み | 검색 찾아 | such* find* filter* | cherch* recherch* trouv* filtr* | busc* encontr* filtr* | procur* pesquis* | cerc* trov* ricerc* | найти найд* поиск* ищ фильтр* | zoek* vind* | szuk* znajd* | ara bul
count how_many number_of total amount_of quantity | 多少 数量 总数 统计 几个 | 件数 何件 合計 | 개수 | wie_viel* anzahl zahl* | combien nombre compt* | cuant* cantidad total | quant* numero | quant* conteggio | сколько количеств* счита* | hoeveel aantal | ile liczba | kac sayisi
check verify validate test whether confirm ensure examine | 检查 校验 验证 是否 检测 确认 | 確認 検証 チェック | 확인 검증 검사 | pruf* uberpruf* test* | verif* valid* test* | comprob* verific* valid* prueb* | verific* valid* test* | controll* verific* | провер* тест* | controleer* | sprawdz* | kontrol*
pull fetch load | 拉取 抓取 | 引き出 取り込 | 끌어오 불러오
download export save_as dump extract | 下载 导出 | ダウンロード エクスポート 書き出 | 다운로드 내보내 | herunterlad* export* | telecharg* export* | descarg* export* | baix* export* | scaric* esport* | скача* выгруз* экспорт* | download* exporteer*
compare diff difference versus | 比较 对比 差异 | 比較 差分 | 비교 차이 | vergleich* unterschied* | compar* differenc* | compar* diferenc* | confront* | сравн* разниц* | vergelijk*
calculate compute estimate quote preview simulate predict forecast | 计算 估算 预览 预测 试算 | 計算 見積 プレビュー 予測 | 계산 견적 미리보기 예측 | berechn* schatz* vorschau | calcul* estim* apercu | calcul* estim* cotiz* | calcol* stim* | рассчит* расчет* оцен* прогноз* | bereken*
translate convert transform | 翻译 转换 | 翻訳 変換 | 번역 변환 | ubersetz* umwandel* konvert* | tradui* traduct* convert* | traduc* traduz* convert* | tradu* | перевед* перевод* преобраз* конверт* | vertaal*
""",
    Sense.ADD: """
create add new make fresh insert register setup set_up establish define build open creation append | 创建 新增 添加 加个 加一 加上 加到 建个 建一 开通 设立 弄个 做个 新建 增加 注册 建立 | 作成 追加 登録 新規 | 생성 추가 등록 만들 | erstell* anleg* hinzufug* neu* erzeug* | cre* ajout* nouve* enregistr* | cre* anad* agreg* nuev* registr* | cri* adicion* nov* cadastr* | cre* aggiung* nuov* | созда* добав* нов* зарегистр* завес* | maak* toevoeg* nieuw* | utworz* dodaj* now* | olustur* ekle* yeni
save store keep persist remember | 保存 存储 存一 | 保存 保管 | 저장 보관 | speicher* sicher* | enregistr* sauvegard* conserv* | guard* almacen* | salv* guard* armazen* | salv* conserv* | сохран* запомн* | opslaan bewaar* | zapisz* | kaydet*
upload import ingest load put_up attach | 上传 导入 传到 传个 传一 附加 | アップロード インポート 添付 | 업로드 가져오기 첨부 | hochlad* lade* import* anhang* | televers* import* joindre charg* | sub* carg* import* adjunt* | envi* carreg* import* anex* | caric* import* alleg* | загру* импорт* прикреп* | uploaden importeer*
send post deliver mail email notify message dispatch share publish broadcast announce push write_to tell text dm nudge | 发送 发给 发个 发条 发一 发到 寄给 推送 通知 发布 转发 告诉 | 送信 投稿 通知 公開 | 전송 보내 발송 알림 게시 | send* schick* benachrichtig* veroffentlich* | envo* publi* notifi* | envi* publi* notific* mand* | envi* public* notific* | invi* pubblic* notific* mand* | отправ* посла* публик* уведом* напиш* | stuur* verzend* publiceer* | wysl* | gonder*
invite | 邀请 | 招待 | 초대 | einlad* | invit* | invit* | convid* | invit* | приглас* пригла* | uitnodig*
copy clone duplicate fork replicate | 复制 克隆 拷贝 | 複製 コピー | 복사 복제 | kopier* duplizier* | copi* dupli* clon* | копир* дублир* клонир* | kopieer*
generate issue produce mint | 生成 签发 | 生成 発行 | 생성 발급 | generier* erzeug* ausstell* | gener* emettre | gener* emit* | сгенер* генер* выпис* выпуст*
subscribe follow watch listen enroll signup sign_up join | 订阅 关注 加入 报名 | 購読 フォロー 参加 | 구독 팔로우 참여 가입 | abonnier* folg* beitret* anmeld* | abonn* suivre rejoin* inscri* | suscrib* segui* unir* inscri* | assin* segu* inscrev* | подпис* присоедин* вступ*
buy order purchase book reserve subscribe checkout | 购买 买个 买一 订个 订一 下单 预订 预定 订购 | 購入 予約 注文 | 구매 예약 주문 | kauf* bestell* buch* reservier* | achet* command* reserv* | compr* pedir reserv* | compr* reserv* pedir | compr* acquist* prenot* ordin* | купить покуп* заказ* заброн* брон* | koop* bestel* boek*
reply respond answer comment react | 回复 评论 回答 | 返信 コメント 回答 | 답장 댓글 답변 | antwort* kommentier* | repond* comment* | respond* coment* | rispond* comment* | ответ* коммент*
""",
    Sense.CHANGE: """
update change edit modify patch adjust alter set correct fix amend configure customize revise make turn | 更新 修改 编辑 更改 改成 改为 改一 改下 改到 调成 设成 换成 设置 调整 变更 配置 设为 改成 | 更新 変更 編集 修正 設定 | 수정 변경 업데이트 편집 설정 | aktualisier* ander* bearbeit* setz* anpass* | modifi* chang* mettre_a_jour met* edit* | actualiz* modific* cambi* edit* configur* | atualiz* modific* mud* alter* edit* | aggiorn* modific* cambi* | обнов* измен* редакт* установ* настро* поменя* поправ* | wijzig* bewerk* | zmien* zaktualizuj* | guncelle* degistir*
rename name call title relabel | 重命名 改名 名称 | 名前 改名 名称 | 이름 | umbenenn* nam* | renomm* nom | renombr* nombr* | renome* nome | rinomin* nom* | переимен* назв* имя | hernoem* naam
replace overwrite swap substitute put | 替换 覆盖 | 置換 置き換 上書き | 교체 대체 | ersetz* | remplac* | reemplaz* | substitu* | sostitu* | замен*
move transfer relocate migrate shift | 移动 转移 迁移 | 移動 転送 移行 | 이동 이전 | verschieb* ubertrag* | deplac* transfer* migr* | mov* muev* traslad* | transfer* mov* | spost* trasfer* | перемест* перенес* перенос* | verplaats*
assign allocate delegate grant give_access permit authorize | 分配 指派 授权 授予 | 割り当て 付与 権限を | 할당 배정 부여 | zuweis* zuordn* | assign* attribu* accord* | asign* otorg* | atribu* conced* | assegn* conced* | назнач* предостав* выда* | toewijz*
enable activate turn_on switch_on allow unblock reactivate | 启用 开启 激活 打开 | 有効 有効化 オン | 활성 | aktivier* einschalt* | activ* | activ* habilit* encend* | ativ* habilit* | attiv* abilit* | включ* актив* разреш* | inschakel* | wlacz*
disable deactivate turn_off switch_off suspend inactive freeze pause hold | 禁用 停用 关闭 暂停 冻结 挂起 | 無効 無効化 停止 一時停止 | 비활성 정지 일시중지 | deaktivier* ausschalt* sperr* pausier* | desactiv* suspend* | desactiv* deshabilit* suspend* apag* | desativ* suspend* pausa* | disattiv* sospend* | отключ* выключ* деактив* приостан* заморо* | uitschakel* | wylacz*
lock | 锁定 | ロック | 잠금 | sperr* | verrouill* bloqu* | bloque* | blocc* | блокир* заблок*
unlock unblock | 解锁 解禁 | 解除 | 해제 | entsperr* | deverrouill* debloqu* | desbloque* | sblocc* | разблок*
archive | 归档 存档 | アーカイブ | 보관 | archivier* | archiv* | archiv* arquiv* | archivi* | архив*
restore unarchive recover bring_back undelete revert rollback roll_back reopen reinstate unpause resume continue | 恢复 还原 取消归档 回滚 | 復元 再開 | 복원 복구 재개 | wiederherstell* | restaur* retabl* reprendre | restaur* recuper* reanud* | restaur* recuper* retom* | ripristin* | восстан* вернут* возобнов* | herstel*
approve accept agree confirm acknowledge | 同意 批准 点同意 放行 通过 审批 确认 接受 | 承認 許可 同意 確定 | 승인 수락 동의 | genehmig* annehm* bestatig* | approuv* accept* confirm* | aprob* acept* confirm* | aprov* aceit* confirm* | approv* accett* conferm* | одобр* подтверд* принят* соглас* | goedkeur*
reject decline deny refuse dismiss | 拒绝 驳回 | 却下 拒否 | 거절 거부 반려 | ablehn* | rejet* refus* | rechaz* | rejeit* recus* | rifiut* respin* | отклон* отказ* | afwijz*
mark flag tag label star pin bookmark favorite favourite | 标记 打标 收藏 置顶 星标 | マーク お気に入り ピン | 표시 즐겨찾기 고정 | markier* kennzeichn* | marqu* epingl* | marc* etiquet* | marc* fix* | contrassegn* segn* | отмет* помет* закреп* | markeer*
link connect associate bind relate attach add_to map | 关联 绑定 连接 链接 | 関連 紐付 接続 リンク | 연결 연동 | verknupf* verbind* | li associ* connect* reli* | vincul* asoci* conect* enlaz* | vincul* associ* conect* | colleg* associ* | связ* привяз* подключ* | koppel*
merge combine unify | 合并 | 統合 マージ 結合 | 병합 통합 | zusammenfuhr* | fusionn* | fusion* combin* | mescl* uni* | un fond* | объедин* слия*
sort reorder rank arrange | 排序 | 並べ替え 並び | 정렬 | sortier* | tri* ordonn* | orden* | orden* | ordin* | сортир* упоряд*
hide conceal | 隐藏 | 非表示 | 숨기 | ausblend* versteck* | masqu* cach* | ocult* escond* | nascond* | скры* скро*
rotate regenerate refresh renew reissue reset | 轮换 重新生成 刷新 续期 重置 | 再生成 更新 リセット | 재발급 갱신 초기화 | erneuer* zurucksetz* | renouvel* reinitial* | renov* regener* restablec* | renov* redefin* | rinnov* reimpost* | сброс* продл* перевыпус*
schedule plan postpone reschedule | 安排 计划 预约 推迟 | 予定 スケジュール 延期 | 예약 일정 연기 | plan* verschieb* | planifi* programm* report* | program* agend* planific* | agend* program* | pianific* programm* | заплан* планир* отлож*
mute silence ignore snooze | 静音 禁言 屏蔽 免打扰 | ミュート 無視 | 음소거 무시 | stummschalt* | silenc* ignor* | silenci* ignor* | заглуш* игнор*
scale resize extend grow expand increase | 扩容 扩展 伸缩 调整大小 | 拡張 スケール | 확장 크기 | skalier* vergrosser* erweiter* | agrand* etend* augment* | escal* ampli* aument* | масштаб* увелич* расшир*
publish release deploy rollout ship | 发布 部署 上线 上架 | 公開 リリース デプロイ | 배포 출시 공개 | veroffentlich* bereitstell* | publi* deplo* | public* desplieg* | public* implant* | pubblic* | опублик* развер* публик*
""",
    Sense.END: """
delete remove erase destroy drop discard clear wipe purge clean trash get_rid_of take_out take_away take_down take_off take_back throw_away clean_out clear_out no_longer_need no_longer_needed kill unset strip | 删除 移除 清空 清除 删掉 删了 删去 清掉 去除 扔掉 不要了 去掉 销毁 删掉 移出 | 削除 除去 クリア 取り除 | 삭제 제거 지우 지워 비우 | losch* entfern* leer* | supprim* effac* retir* enlev* vide* | elimin* borr* quit* suprim* vaci* | exclu* apag* remov* delet* limp* | elimin* rimuov* cancell* togli* | удал* убер* убра* очист* стере* снест* | verwijder* wis* | usun* skasuj* | sil kaldir*
cancel abort call_off void revoke withdraw end terminate finish rescind invalidate expire | 取消 撤销 撤回 收回 撤掉 撤了 作废 终止 结束 吊销 中止 | キャンセル 取消 取り消 中止 終了 失効 無効に | 취소 철회 종료 폐기 | stornier* abbrech* ungultig* widerruf* kundig* beend* | annul* revoqu* resili* termin* | cancel* anul* revoc* termin* finaliz* | cancel* anul* revog* encerr* | annull* revoc* termin* | отмен* отозв* аннулир* прекра* заверш* | annuleer* intrek* | anuluj* | iptal
stop halt shut_down shutdown shut_off shut power_off power_down switch_off turn_off quit kill bring_down | 停止 停掉 停下 关掉 关停 关机 关闭 终止 | 停止 止め 終了 シャットダウン | 중지 정지 종료 | stopp* anhalt* herunterfahr* | arret* stopp* | deten* par* apag* | par* deslig* | ferm* arrest* | останов* выключ* | stop* | zatrzym* | durdur*
logout log_out sign_out signout | 退出登录 登出 注销 | ログアウト | 로그아웃 | abmeld* | deconnex* deconnect* | cerrar_sesion | sair | esci* | выйти выход* разлогин*
leave quit exit unsubscribe unfollow disassociate detach unlink disconnect unbind unassign cut_loose part_ways leaving separate | 退出 离开 解绑 退订 取消关注 解除 | 退会 脱退 解除 切り離 | 탈퇴 해지 해제 나가 | verlass* trenn* abbestell* austret* | quitt* desabonn* dissoci* detach* | sal* abandon* desvincul* | sair desvincul* | lasci* abbandon* scolleg* | покин* выйти отпис* отвяз* отсоедин* | verlaat
ban block blacklist kick expel exclude | 封禁 拉黑 踢掉 踢人 禁言 屏蔽 踢出 禁止 黑名单 | 禁止 ブロック 追放 | 차단 추방 금지 | sperr* blockier* | bann* bloqu* exclu* | bloque* expuls* | бан* заблок* исключ* выгна*
refund reimburse chargeback pay_back money_back | 退款 退费 退回 退钱 退给 | 返金 払い戻 | 환불 | erstatt* | rembours* | reembols* devolv* | estorn* reembols* | rimbors* | возмест* возврат* вернуть_деньги | terugbetal*
""",
    Sense.RUN: """
start run launch boot fire_up kick_off begin execute trigger power_on spin_up bring_up invoke initiate perform get_going | 启动 运行 跑一 跑起来 拉起 开启 打开 执行 开始 触发 开机 | 開始 起動 実行 始め | 시작 실행 가동 | start* ausfuhr* lauf* | demarr* lanc* execut* commenc* | inici* ejecut* arranc* lanz* | inici* execut* | avvi* esegu* | запус* запуст* нача* выполн* старт* | uitvoer* | uruchom* | baslat* calistir*
restart reboot relaunch bounce | 重启 重新启动 | 再起動 リスタート | 재시작 재부팅 | neustart* | redemarr* | reinici* | reinici* | riavvi* | перезапус* перезагруз* | herstart*
sync synchronize synchronise reload refresh resync rescan | 同步 刷新 重新加载 | 同期 リフレッシュ 再読み込み | 동기화 새로고침 | synchronisier* | synchron* | sincroniz* | sincron* | синхрон* обнов* | synchroniseer*
login log_in sign_in signin authenticate log_me_in | 登录 登陆 | ログイン サインイン | 로그인 | anmeld* einlogg* | connexion connect* | iniciar_sesion | entrar | acced* | войти вход* логин* авториз* войди* | inloggen
pay settle charge capture pay_off | 支付 付款 缴费 | 支払 決済 | 결제 지불 | bezahl* zahl* | pay* regl* | pag* cobr* | pag* cobr* | pag* | оплат* плат* списа* | betaal*
retry redo repeat again rerun replay requeue | 重试 重新 再次 | 再試行 再実行 やり直 | 재시도 다시 | wiederhol* nochmal erneut | reessay* nouveau | reintent* repet* | tent* repet* | riprov* ripet* | повтор* заново снова
scan crawl analyze analyse inspect | 扫描 分析 | スキャン 分析 解析 | 스캔 분석 | analysier* | analys* | analiz* escane* | analis* | analizz* | анализ* сканир*
wait pause sleep | 等待 | 대기
""",
}

QUESTIONS = frozenset("""
    what which who whose whom when where how is are was were does do did has have had
    was wer wie wo wann welche welcher welches wieviel gibt ist sind
    quel quels quelle quelles qui que combien comment est ou quand
    cual cuales cuanto cuantos cuantas quien que donde cuando como
    qual quais quanto quantos quantas quem onde
    quale quali quanti quante chi che dove
    какие какой какая какое кто сколько где когда есть ли
    welke hoeveel wie waar wanneer ile ktore jakie kim hangi nedir
    """.split())
"""Words that make a request a question, which only looks."""

ASKING = (
    "什么",
    "哪",
    "谁",
    "多少",
    "吗",
    "几",
    "何",
    "誰",
    "どの",
    "いつ",
    "ですか",
    "무엇",
    "누구",
    "어떤",
    "뭐",
    "언제",
)
"""The same in scripts without spaces."""
