import type { Knex } from 'knex'
import type { RollRow } from '#contracts/roll-import'
import { foldedName } from '#kernel/folded-name'
import { userRows } from '#modules/identity/index'
import type { RollChild, Account } from '#modules/identity/published'
import { isOnRoll, valuesFor, valuesOf, type ChildValues, type PlannedRow } from '../roll/roll-plan.decide'

export const shownRows = async (knex: Knex, planned: readonly PlannedRow[]): Promise<RollRow[]> => {
  const met = planned.flatMap(({ child, candidates }) => [...(child ? [child] : []), ...candidates])
  const accounts = await accountsOf(knex, met)
  return planned.map((row) => {
    const { line, state, child, candidates } = row
    const wanted = child
      ? { ...child, ...valuesOf(line, false), ...valuesFor(line, child) }
      : valuesOf(line, false)
    const { name: student, ...values } = valuesShown(wanted)
    return {
      row: line.row,
      state,
      student,
      ...values,
      before: child && shownChild(child, accounts),
      candidates: candidates.map((one) => shownChild(one, accounts)),
      isClear: isClear(row, accounts),
    }
  })
}

export const shownChildren = async (
  knex: Knex,
  children: readonly RollChild[],
): Promise<RollRow['candidates']> => {
  const accounts = await accountsOf(knex, children)
  return children.map((child) => shownChild(child, accounts))
}

type Accounts = ReadonlyMap<number, Account>

const accountsOf = (knex: Knex, children: readonly RollChild[]): Promise<Accounts> =>
  userRows(knex).byIds([...new Set(children.flatMap((child) => child.userId ?? []))])

const shownChild = (child: RollChild, accounts: Accounts): RollRow['candidates'][number] => {
  const account = child.userId === null ? undefined : accounts.get(child.userId)
  return {
    id: child.id,
    ...valuesShown(child),
    parent: account?.name ?? null,
    account: account
      ? { username: account.username, email: account.email, emailVerified: account.emailVerifiedAt !== null }
      : null,
    onRoll: isOnRoll(child),
  }
}

/** The account's verified address decides: its child may have been entered to take over the school's. */
const isClear = ({ line, state, candidates }: PlannedRow, accounts: Accounts): boolean => {
  const [only, ...others] = candidates
  if (state !== 'matched' || !only || others.length > 0) return false
  if (foldedName(only.name) !== foldedName(line.name) || only.admissionNumber !== null) return false
  const account = only.userId === null ? null : accounts.get(only.userId)
  if (account === null) return true
  const address = account?.emailVerifiedAt ? account.email?.toLowerCase() : undefined
  return address !== undefined && address === line.email
}

const valuesShown = ({
  name,
  grade,
  class: of = null,
  admissionNumber = null,
  guardianName: guardian = null,
  guardianEmail: email = null,
  guardianPhone: phone = null,
}: ChildValues) => ({ name, grade, class: of, admissionNumber, guardian, email, phone })
