import type { Knex } from 'knex'
import { studentRows, recordAccountChange } from '#modules/identity/index'
import type { Student } from '#modules/identity/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { EnrolmentNeeds } from '../ports'
import type { InTheWay } from './deletion.decide'

export const inTheWayOf = async (
  { ordering, payments }: EnrolmentNeeds,
  studentIds: readonly number[],
): Promise<InTheWay> => ({
  orderCount: (await ordering.orderIdsWhere({ studentIds, state: 'active' })).length,
  mealsInPayment: await payments.mealsInPayment(studentIds),
})

export const removeStudent = async (
  transaction: Knex.Transaction,
  needs: EnrolmentNeeds,
  { id, userId }: Student,
  by: By,
): Promise<void> => {
  await studentRows(transaction).remove(id)
  await needs.ordering.deleteCodesOfChild(transaction, id)
  const whose = userId === null ? 'the roll' : accountNamed(userId)
  await recordAccountChange(transaction, needs, by, `Student ${id} of ${whose} deleted`)
}
