import { appendFile, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '#platform/folder'
import type { Config } from '../config'

type Where = Pick<Config, 'DATA_DIR' | 'DELETIONS_FILE'>

const deletedAccount = z.strictObject({
  userId: z.int().positive(),
  /** Distinguishes a later account with the same number. */
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime(),
})
export type DeletedAccount = z.infer<typeof deletedAccount>

const fileOf = ({ DATA_DIR, DELETIONS_FILE }: Where) => DELETIONS_FILE ?? join(DATA_DIR, 'deletions')

/** Deleted families as JSON lines outside every archive, so that restoring an older one deletes them again. Holds no names. */
export const deletionList = (where: Where) => {
  const all = async (): Promise<DeletedAccount[]> => {
    const text = await readFile(fileOf(where), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => deletedAccount.parse(JSON.parse(line)))
  }

  /** Once per account, however often called. */
  const add = async (account: DeletedAccount): Promise<void> => {
    const { userId, createdAt } = account
    if ((await all()).some((one) => one.userId === userId && one.createdAt === createdAt)) return
    const file = fileOf(where)
    await makeFolder(dirname(file))
    await appendFile(file, `${JSON.stringify(account)}\n`, { mode: 0o600, flush: true })
  }

  return { all, add }
}
