import { createHash, timingSafeEqual } from 'node:crypto'
import { accountNamed, recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { readStaffCode, writeStaffCode } from './staff-code.rows'
import { type ClaimedStudent, staffGrade } from './student.decide'
import { studentRows } from './students.rows'

type StaffNeeds = Pick<IdentityNeeds, 'database' | 'now'>

/** Staff who are parents: an account that knows the school's code orders for its owner too (families.md section 4). */
export const staffEntryCommands = (needs: StaffNeeds) => {
  const { knex } = needs.database
  return {
    readStaffCode: (): Promise<string> => readStaffCode(knex),

    /** Who has a staff entry keeps it, whatever the code. The code itself stands in no history. */
    saveStaffCode: (staffCode: string, by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        if ((await writeStaffCode(transaction, staffCode)) === staffCode) return
        const what = staffCode === '' ? 'Staff code taken away' : 'Staff code set'
        const change = { kind: 'settings' as const, what, old: null, new: null }
        await recordChanges(transaction, { ...by, at: needs.now() }, [change])
      }),

    /** Throws `staff_code_wrong`, also where the school has no code. */
    addStaffEntry: (code: string, about: { userId: number; by: By }): Promise<ClaimedStudent> =>
      knex.transaction(async (transaction) => {
        const account = await userRows(transaction).lock(about.userId)
        if (account?.role !== 'parent') throw refuse('already_teacher', 'This account is a teacher account')
        if (!isStaffCode(code, await readStaffCode(transaction)))
          throw refuse('staff_code_wrong', 'This is not the staff code of the school', {
            fields: { code: 'This is not the staff code of the school' },
          })
        const rows = studentRows(transaction)
        const entry = async () => (await rows.ofUser(account.id)).find(({ grade }) => grade === staffGrade)
        const there = await entry()
        if (there) return there
        await rows.insertStaffEntry(account.id, account.name)
        const what = `Staff entry of ${accountNamed(account.id)} added`
        await recordAccountChange(transaction, needs, about.by, what)
        return (await entry())!
      }),
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compared in a time that tells nothing about the code. */
const isStaffCode = (given: string, code: string): boolean =>
  timingSafeEqual(digest(given), digest(code)) && code !== ''
