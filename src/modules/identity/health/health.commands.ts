import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { Health, saveHealth } from '#contracts/health'
import type { By } from '#platform/event-store/command-handler'
import type { Principal } from '#platform/http/route'
import { recordAccountChange } from '../accounts/account-changes.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { guardianship } from '../students/guardians.rows'
import { studentRows } from '../students/students.rows'
import { allergensWith } from './allergens.commands'
import { decideAllergies } from './allergens.decide'
import { readHealth, writeHealth } from './health.rows'

type HealthNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'catalogue'>
type Asker = By & { user: Pick<Principal, 'userId' | 'role'> }

/**
 * A student's health record, for its guardians and the office (families.md section 3). What it says goes nowhere else;
 * that the office looked at it, and that anybody changed it, stands in the history.
 */
export const healthCommands = (needs: HealthNeeds) => {
  const { knex } = needs.database

  const record = (transaction: Knex.Transaction, id: number, by: By, what: 'read' | 'changed') =>
    recordAccountChange(transaction, needs, by, `Health record of student ${id} ${what}`)

  return {
    readHealth: (given: number, { user, ...by }: Asker): Promise<Health> =>
      knex.transaction(async (transaction) => {
        const id = await knownStudent(transaction, given, user)
        if (user.role === 'admin') await record(transaction, id, by, 'read')
        return readHealth(transaction, id)
      }),

    saveHealth: async (
      given: number,
      { allergies, ...form }: BodyOf<typeof saveHealth>,
      { user, ...by }: Asker,
    ): Promise<Health> => {
      const words = await needs.catalogue.allergenWords()
      return knex.transaction(async (transaction) => {
        const id = await knownStudent(transaction, given, user)
        const declared = decideAllergies(await allergensWith(transaction, words), allergies)
        await writeHealth(transaction, id, { ...form, allergies: declared, updatedAt: needs.now() })
        await record(transaction, id, by, 'changed')
        return readHealth(transaction, id)
      })
    },
  }
}

/** The number of the student whose record it is; throws unless the asker is a guardian or the office. */
const knownStudent = async (
  transaction: Knex.Transaction,
  id: number,
  { role, userId }: Asker['user'],
): Promise<number> => {
  const student = await studentRows(transaction).hold(id)
  const { isGuardianOf } = guardianship(transaction)
  if (!student || (role !== 'admin' && !(await isGuardianOf(userId, student.id))))
    throw refuse('student_not_found', 'Student not found')
  return student.id
}
