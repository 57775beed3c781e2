import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { mergeStudent as merge } from '#contracts/enrolment'
import type { UserMessage } from '#kernel/meal-line'
import {
  recordAccountChange,
  userRows,
  guardianRows,
  studentRows,
  studentRecord,
  healthRecord,
  joinHealth,
  type StudentRow,
} from '#modules/identity/index'
import type { Student } from '#modules/identity/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { noteLastChange } from '#platform/versions'
import type { EnrolmentNeeds } from '../ports'
import {
  decideChild,
  decideNothingInPayment,
  decideNoSameDate,
  decideTwins,
  joined,
  withoutRollGuardian,
} from './roll-import.decide'

/** Ids only, no names, for the history. */
export const studentNamed = ({ id, userId }: Pick<Student, 'id' | 'userId'>): string =>
  `student ${id} of ${userId === null ? 'the roll' : accountNamed(userId)}`

type Twins = { id: number } & BodyOf<typeof merge>

const maxDates = 100

const datesOrdered = async ({ ordering }: EnrolmentNeeds, studentIds: readonly number[]) =>
  new Set((await ordering.totals({ studentIds, state: 'active' }, 'date')).keys())

/** Orders keep the old number as an alias (docs/decisions/0031); conflicts are checked again once nobody can order under it. */
export const mergeCommands = (needs: EnrolmentNeeds) => {
  const { knex } = needs.database

  const decideMergeable = async ({ id, intoId }: Twins): Promise<void> => {
    const rows = studentRows(knex)
    const [own, all] = await Promise.all([rows.idsOf(id), rows.idsOf(intoId)])
    const others = all.filter((one) => !own.includes(one))
    decideNothingInPayment(await needs.payments.mealsInPayment([...own, ...others]))
    const dates = await Promise.all([own, others].map((ids) => datesOrdered(needs, ids)))
    decideNoSameDate([...dates[0]!].filter((date) => dates[1]!.has(date)).slice(0, maxDates))
  }

  const mergeStudent = async (twins: Twins, by: By): Promise<Student> => {
    const { id, intoId } = twins
    decideTwins(id, intoId)
    const rows = studentRows(knex)
    decideChild(await rows.byId(intoId))
    const from = await rows.rowOf(id)
    // Repeated, or resumed after a crash.
    const isBegun = from?.mergedInto === intoId
    if (!isBegun) decideChild(await rows.byId(id))
    await decideMergeable(twins)
    await rows.markMerged(id, intoId)
    try {
      await decideMergeable(twins)
    } catch (error) {
      if (!isBegun) await rows.markMerged(id, null)
      throw error
    }
    return join({ ...twins, isBegun }, by)
  }

  const join = ({ id, intoId, isBegun }: Twins & { isBegun: boolean }, by: By): Promise<Student> =>
    needs.messaging.withMail(async (transaction, post) => {
      const rows = studentRows(transaction)
      const [into, from] = await rows.lockRows(intoId, id)
      const isDone =
        isBegun && from.admissionNumber === null && from.class === null && from.userId === into.userId
      const before = await guardiansOfBoth(transaction, into, from)
      const kept = joined<StudentRow>(into, from, keptOfBoth)
      const userId = into.userId ?? from.userId
      const unclaimed = userId === null ? joined<StudentRow>(into, from, ofTheRoll) : withoutRollGuardian
      await rows.update(id, { admissionNumber: null, class: null, userId, ...withoutRollGuardian })
      await rows.updateAliases(id, { userId, mergedInto: intoId })
      await guardianRows(transaction).moveTo(id, intoId, userId)
      await joinHealth(transaction, { id, intoId })
      await needs.ordering.moveCodesOfChild(transaction, id, intoId)
      const after = await rows.update(intoId, { ...kept, userId, ...unclaimed })
      if (isDone) return after
      const what = `${capitalised(studentNamed(from))} merged into ${studentNamed(into)}`
      const records = { old: null, new: null, record: studentRecord(intoId) }
      await recordAccountChange(transaction, needs, by, what, records)
      await noteLastChange(transaction, { ...by, at: needs.now() }, [healthRecord(intoId)])
      await tellGuardians(transaction, needs.messaging.postMessage(transaction, post), before, intoId)
      return after
    })

  return { mergeStudent }
}

const keptOfBoth = ['class', 'admissionNumber', 'onRollSince'] as const
const ofTheRoll = ['guardianName', 'guardianEmail', 'guardianPhone'] as const

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** With the name under which each knows the child. */
type KnownAs = ReadonlyMap<number, string>

const guardiansOfBoth = async (
  transaction: Knex.Transaction,
  ...[into, from]: [StudentRow, StudentRow]
): Promise<KnownAs> => {
  const rows = guardianRows(transaction)
  const known = new Map<number, string>()
  for (const { id, name } of [from, into])
    for (const { userId } of await rows.namedOf(id)) known.set(userId, name)
  return known
}

const tellGuardians = async (
  transaction: Knex.Transaction,
  tell: ReturnType<EnrolmentNeeds['messaging']['postMessage']>,
  before: KnownAs,
  intoId: number,
): Promise<void> => {
  const guardians = await guardianRows(transaction).namedOf(intoId)
  for (const account of (await userRows(transaction).byIds([...before.keys()])).values())
    await tell(
      account,
      mergedMail(
        before.get(account.id)!,
        guardians.some(({ userId }) => userId === account.id),
      ),
    )
}

/** Names no allergen: others read mails too. */
export const mergedMail = (name: string, isGuardian: boolean): UserMessage => {
  const told = (child: string) =>
    isGuardian
      ? `The school office has joined two entries of ${child} into one, with the lunches of both and all that the kitchen knows of both. Please log in and check that it is right.`
      : `The school office has joined two entries of ${child}. The child is now on the account of another guardian. If that is wrong, tell the school office.`
  return {
    subject: 'Two entries of your child were joined',
    text: told(name),
    bareText: told('a child of yours'),
  }
}
