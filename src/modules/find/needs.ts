import type { Ngwee } from '#kernel/money'
import type { PayBy } from '#contracts/ordering'
import type { Database, Reader } from '#platform/database'

/** What the search needs of the process and of the other contexts; each looks into its own tables, over one connection. */
export type FindNeeds = {
  database: Pick<Database, 'pool'>
  identity: {
    /** The parents and teachers of these words or this phone number, and by which children it was; the newest first. */
    findFamilies: (
      at: Reader,
      question: { text: string; words: readonly string[]; phone: string | null; whole: boolean },
      limit: number,
    ) => Promise<{ userId: number; students: number[] }[]>
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  }
}
