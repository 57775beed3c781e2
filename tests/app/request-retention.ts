type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** Requests of 91 and of 89 days ago. */
export const requestCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: () =>
    query(
      `insert into platform.requests (request_key, request, asked_at) values ('old', gen_random_uuid(), $1), ('young', gen_random_uuid(), $2)`,
      [daysAgo(91), daysAgo(89)],
    ),
  left: () => query('select request_key from platform.requests'),
  stays: [{ request_key: 'young' }],
})

/** Budgets that are full again, and one that is not. */
export const rateLimitCase = (query: Query) => ({
  fill: () =>
    query(`insert into platform.rate_limits values ('old', 1, $1), ('young', 1, $2)`, [
      Date.now() - 1,
      Date.now() + 3_600_000,
    ]),
  left: () => query(`select key from platform.rate_limits where key in ('old', 'young')`),
  stays: [{ key: 'young' }],
})

const notes = ['payments.letters_written', 'refunds.letters_written', 'books.letters_written'] as const

/** Letters that were done with 91 and 89 days ago. */
export const letterCases = (query: Query, daysAgo: (days: number) => Date) =>
  Object.fromEntries(
    notes.map((table) => [
      table,
      {
        fill: async () => {
          await query(`delete from ${table}`)
          await query(`insert into ${table} (id, at) values ('old', $1), ('young', $2)`, [
            daysAgo(91),
            daysAgo(89),
          ])
        },
        left: () => query(`select id from ${table}`),
        stays: [{ id: 'young' }],
      },
    ]),
  )
