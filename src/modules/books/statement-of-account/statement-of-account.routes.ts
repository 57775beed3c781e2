import { stringify } from 'csv-stringify/sync'
import { statementOfAccount, statementOfAccountCsv, type StatementOfAccount } from '#contracts/books-days'
import { csvFormat } from '#contracts/csv'
import type { QueryOf } from '#contracts/endpoint'
import { rawRoute, route, signedIn, type Principal, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import type { BooksNeeds } from '../needs'
import { maySeeAll } from '../receipts/receipts.routes'
import { refusal } from '../refusals'
import { statementOf } from './statement-of-account.commands'

type Asked = QueryOf<typeof statementOfAccount>

/** A family's statement of account: its own, and any for some administrators. */
export const statementRoutes = (needs: BooksNeeds): Route[] => {
  const statement = statementOf(needs)
  const asked = (query: Asked, user: Principal) => statement(familyOf(query, user), query)
  return [
    route(statementOfAccount, signedIn, ({ query, user }) => asked(query, user)),

    rawRoute({
      method: statementOfAccountCsv.method,
      path: statementOfAccountCsv.path,
      access: signedIn,
      serve: async (context, { query, user }) => {
        const range = parseInput(statementOfAccountCsv.query, query) as Asked
        const found = await asked(range, user)
        const name = `tuckshop-account-${found.parent.id}-${range.from}-${range.to}.csv`
        context.set('Content-Type', 'text/csv; charset=utf-8')
        context.set('Content-Disposition', `attachment; filename="${name}"`)
        context.body = statementFile(found)
      },
    }),
  ]
}

/** Whose account somebody may see: a family its own, and of others it is not told whether there is one. */
const familyOf = ({ parentId }: Asked, user: Principal): number => {
  if (user.role !== 'admin' && (parentId ?? user.userId) === user.userId) return user.userId
  if (!maySeeAll(user)) throw refusal('parent_not_found')
  if (parentId === undefined) throw refusal('parent_missing')
  return parentId
}

const head = ['Day', 'What', 'Meal of', 'Receipt', 'In (K)', 'Out (K)', 'Balance (K)']

const statementFile = ({ from, to, opening, lines, closing }: StatementOfAccount): string =>
  stringify(
    [
      head,
      [from, 'Opening balance', '', '', '', '', opening.balance],
      ...lines.map(({ date, text, mealDate, receiptNumber, amount, balance }) => [
        date,
        text,
        mealDate ?? '',
        receiptNumber ?? '',
        amount >= 0 ? amount : '',
        amount < 0 ? -amount : '',
        balance,
      ]),
      [to, 'Closing balance', '', '', '', '', closing.balance],
    ],
    { ...csvFormat, bom: true },
  )
