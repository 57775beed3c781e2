import {
  applyRoll,
  claimCodes,
  claimStudents,
  lastRollImport,
  leavingChildren,
  previewedRows,
  previewRoll,
  undoRoll,
} from '#contracts/roll-import'
import { replyJson } from '#platform/http/error-replies'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { onlyRoles, rawRoute, route, withFeature, type RateLimit, type Route } from '#platform/http/route'
import { largestUploadBody, receiveUpload } from '#platform/http/upload'
import { asStudent } from '../students/students.rows'
import type { claimCommands } from './claim.commands'
import type { importCommands } from './import.commands'
import type { undoImportCommands } from './undo-import.commands'

const keepers = withFeature('parents_students')
// Nobody has more letters than that in their hand; a code is one of seventeen thousand million.
const claimLimit: RateLimit = { name: 'claim', points: 10, seconds: 900, by: 'user' }
const pageSize = 50

type ImportCommands = ReturnType<typeof importCommands> &
  ReturnType<typeof undoImportCommands> &
  ReturnType<typeof claimCommands>

/** The school's list read in, and the codes by which families come to their children (families.md section 4). */
export const rollImportRoutes = (commands: ImportCommands): Route[] => [
  rawRoute({
    method: previewRoll.method,
    path: previewRoll.path,
    access: keepers,
    options: { maxBodyBytes: largestUploadBody },
    serve: async (context) => {
      const { bytes } = await receiveUpload(context)
      replyJson(context, previewRoll.status, previewRoll.reply.parse(await commands.preview(bytes)))
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

  route(applyRoll, keepers, ({ params, body, actor, correlationId }) =>
    commands.apply({ ...params, ...body }, { actor, correlationId }),
  ),

  route(undoRoll, keepers, ({ params, actor, correlationId }) =>
    commands.undo(params.id, { actor, correlationId }),
  ),

  route(lastRollImport, keepers, () => commands.last()),

  route(claimCodes, keepers, ({ body, actor, correlationId }) =>
    commands.claimCodes(body.studentIds, { actor, correlationId }).then((codes) => ({ codes })),
  ),

  route(
    claimStudents,
    onlyRoles('parent'),
    async ({ body, user, actor, correlationId }) =>
      (await commands.claim(body.code, user.userId, { actor, correlationId })).map(asStudent),
    { limit: claimLimit },
  ),
]
