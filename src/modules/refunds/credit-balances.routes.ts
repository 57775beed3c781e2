import { stringify } from 'csv-stringify/sync'
import {
  balancesPerPage,
  creditBalancesCsv,
  listCreditBalances,
  type CreditBalances,
} from '#contracts/credit-balances'
import { csvFormat } from '#contracts/csv'
import { kwachaFromNgwee, sum, ngweeFromKwacha } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { readWithTimeout, type Reader } from '#platform/database'
import { csvRoute } from '#platform/http/csv-route'
import { route, withFeature, type Route } from '#platform/http/route'
import type { RefundsNeeds } from './ports'

const office = withFeature('refunds')
const statementMs = 10_000

export const creditBalanceRoutes = (needs: RefundsNeeds): Route[] => {
  const { pool } = needs.database
  const read = (asked: Asked) => readWithTimeout(pool, statementMs, (at) => balancesOf(needs, at, asked))
  return [
    route(listCreditBalances, office, ({ query: { page = 1, leaving = false } }) =>
      read({ leaving, from: (Math.max(1, page) - 1) * balancesPerPage, count: balancesPerPage }),
    ),

    csvRoute(creditBalancesCsv, office, async ({ leaving = false }) => {
      const { date } = schoolMoment(needs.now(), needs.zone)
      const text = balancesFile(await read({ leaving, from: 0, count: Infinity }), needs.zone)
      return { name: `tuckshop-credit-${date}.csv`, text }
    }),
  ]
}

type Asked = { leaving: boolean; from: number; count: number }

const balancesOf = async (
  { credit, identity, ordering }: RefundsNeeds,
  at: Reader,
  { leaving, from, count }: Asked,
): Promise<CreditBalances> => {
  const all = await credit.creditBalances(at)
  const page = all.slice(from, from + count)
  const wanted = leaving ? all : page
  const accounts = await identity.familyAccounts(
    at,
    wanted.map((row) => row.user_id),
  )
  const families = new Map(accounts.map((account) => [account.id, account]))
  const leaves = ({ user_id: id }: { user_id: number }) =>
    (families.get(id)?.students ?? []).every((student) => student.leaving)
  const rows = leaving ? all.filter(leaves).slice(from, from + count) : page
  const last = await ordering.lastOrders(
    at,
    rows.map((row) => row.user_id),
  )
  const { balance, held } = await credit.creditInAll(at)
  return {
    total: kwachaFromNgwee(balance + held),
    data: rows.map((row) => {
      const { username = '', name = null, students = [] } = families.get(row.user_id) ?? {}
      return {
        parentId: row.user_id,
        username,
        name,
        balance: kwachaFromNgwee(row.balance),
        held: kwachaFromNgwee(row.held),
        children: students.map((student) => ({
          name: student.name,
          grade: student.grade,
          leaving: student.leaving,
        })),
        lastOrderAt: last.get(row.user_id)?.toISOString() ?? null,
      }
    }),
  }
}

const head = ['Family', 'Username', 'Credit (K)', 'Held (K)', 'Children', 'Leaving', 'Last order']

const balancesFile = ({ data }: CreditBalances, zone: string): string =>
  stringify(
    [
      head,
      ...data.map(({ name, username, balance, held, children, lastOrderAt }) => [
        name ?? '',
        username,
        balance,
        held,
        children.map((child) => `${child.name} (${child.grade})`).join('; '),
        children
          .filter(({ leaving }) => leaving)
          .map((child) => child.name)
          .join('; '),
        lastOrderAt === null ? '' : schoolMoment(new Date(lastOrderAt), zone).date,
      ]),
      ['Total', '', totalOf(data, 'balance'), totalOf(data, 'held'), '', '', ''],
    ],
    { ...csvFormat, bom: true },
  )

const totalOf = (data: CreditBalances['data'], field: 'balance' | 'held'): number =>
  sum(data.map((row) => ngweeFromKwacha(row[field]))) / 100
