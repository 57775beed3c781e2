import type { ReplyOf } from '#contracts/endpoint'
import {
  applyRoll,
  claimCodes,
  claimStudents,
  lastRollImport,
  leavingChildren,
  previewedRows,
  previewLetters,
  previewRoll,
  rollForm,
  type RollMapping,
  undoRoll,
} from '#contracts/roll-import'
import {
  asStudent,
  numberIsTaken,
  recordAccountChange,
  rollChildRows,
  studentRecord,
} from '#modules/identity/index'
import type { By } from '#platform/event-store/command-handler'
import { jsonField, maxUploadBody, receiveUpload } from '#platform/http/body'
import { pageMetadataOf } from '#platform/http/paging'
import { replyJson } from '#platform/http/request'
import { onlyRoles, rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { noteLastChange } from '#platform/versions'
import type { claimCommands } from '../claims/claim.commands'
import type { EnrolmentNeeds } from '../ports'
import { decideNothingOrdered, decideUndo, undone, undoUntil } from '../roll/roll-import.decide'
import { rollImportRows } from '../roll/roll-imports.rows'
import { type importCommands, named } from './import.commands'

const keepers = withFeature('parents_students')
const pageSize = 50

type ImportCommands = ReturnType<typeof importCommands> &
  ReturnType<typeof undoImportCommands> &
  ReturnType<typeof claimCommands>

/** families.md section 4. */
export const rollImportRoutes = (commands: ImportCommands): Route[] => [
  rawRoute({
    method: previewRoll.method,
    path: previewRoll.path,
    access: keepers,
    options: { maxBodyBytes: maxUploadBody },
    serve: async (context) => {
      const { bytes, fields } = await receiveUpload(context)
      const { mapping } = parseInput(rollForm, jsonField(fields, 'mapping')) as { mapping?: RollMapping }
      const previewed = await commands.preview({ bytes, mapping })
      replyJson(context, previewRoll.status, previewRoll.reply.parse(previewed))
    },
  }),

  route(previewedRows, keepers, async ({ params, query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { state = null, limit = pageSize } = query
    const { data, total } = await commands.previewed(params.id, { state, offset: (page - 1) * limit, limit })
    return { data, metadata: pageMetadataOf(total, page, limit) }
  }),

  route(leavingChildren, keepers, async ({ params, query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize } = query
    const { data, total } = await commands.leaving(params.id, { offset: (page - 1) * limit, limit })
    return { data, metadata: pageMetadataOf(total, page, limit) }
  }),

  route(previewLetters, keepers, ({ params, body }) => commands.letters({ ...params, ...body })),

  route(applyRoll, keepers, ({ params, body, by }) => commands.apply({ ...params, ...body }, by)),

  route(undoRoll, keepers, ({ params, by }) => commands.undo(params.id, by)),

  route(lastRollImport, keepers, () => commands.last()),

  route(claimCodes, keepers, ({ body, by }) =>
    commands
      .claimCodes(body.studentIds, { together: body.together ?? false, by })
      .then((codes) => ({ codes })),
  ),

  route(claimStudents, onlyRoles('parent'), async ({ body, user, ip, by }) =>
    (await commands.claim(body.code, { userId: user.userId, ip }, by)).map(asStudent),
  ),
]

export const undoImportCommands = (needs: EnrolmentNeeds) => ({
  /** Throws `import_not_found`, `undo_too_late` and `ordered_since`. */
  undo: (id: string, by: By): Promise<ReplyOf<typeof undoRoll>> =>
    needs.database.knex.transaction(async (transaction) => {
      const rows = rollImportRows(transaction)
      await rows.lock()
      const found = decideUndo(await rows.byId(id), needs.now())
      const touched = found.done!
      const children = rollChildRows(transaction)
      const now = await children.lockAll()
      const ids = touched.map((child) => child.id)
      const aliases = await children.aliasesOf(ids)
      const filter = { studentIds: [...ids, ...aliases.keys()], placedSince: found.appliedAt! }
      const ordered = await needs.ordering.totals(filter, 'student')
      const orderedFor = new Set([...ordered.keys()].map((studentId) => aliases.get(studentId) ?? studentId))
      decideNothingOrdered(now.filter((child) => orderedFor.has(child.id)).map(named))
      const { removed, restored, kept } = undone(touched, now)
      await needs.ordering.undoBursaries(
        transaction,
        touched.flatMap(({ bursary }) => bursary ?? []),
      )
      await children.remove(removed)
      await children.update(restored).catch(numberIsTaken)
      await rows.markUndone(id, needs.now())
      const records = restored.map((child) => studentRecord(child.id))
      await noteLastChange(transaction, { ...by, at: needs.now() }, records)
      const count = removed.length + restored.length
      await recordAccountChange(transaction, needs, by, `Import of the roll undone: ${count} children`)
      return { undone: count, kept: kept.map(named) }
    }),

  last: async (): Promise<ReplyOf<typeof lastRollImport>> => {
    const found = await rollImportRows(needs.database.knex).last()
    if (!found?.appliedAt || found.undoneAt || needs.now() > undoUntil(found.appliedAt))
      return { import: null }
    const { id, appliedAt } = found
    return {
      import: { id, appliedAt: appliedAt.toISOString(), undoUntil: undoUntil(appliedAt).toISOString() },
    }
  },
})
