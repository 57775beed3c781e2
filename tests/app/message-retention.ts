import type { Canteen } from '../ordering/canteen'

type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** An old and a young row of each table that messages keep beside the outbox. */
export const messageCases = (
  canteen: Pick<Canteen, 'family'>,
  query: Query,
  daysAgo: (days: number) => Date,
) => ({
  'identity.phone_codes': {
    fill: async () => {
      const [old, young] = [await canteen.family('coded'), await canteen.family('coding')]
      await query(
        `insert into identity.phone_codes ("userId", phone, "codeHash", "triesLeft", "expiresAt") values
         ($1, '1', 'old', 5, $3), ($2, '2', 'young', 5, $4)`,
        [old.userId, young.userId, daysAgo(0.001), daysAgo(-0.001)],
      )
    },
    left: () => query('select "codeHash" from identity.phone_codes'),
    stays: [{ codeHash: 'young' }],
  },
  'identity.sms_days': {
    fill: () =>
      query(`insert into identity.sms_days (day, sent) values ($1, 1), ($2, 2)`, [daysAgo(92), daysAgo(88)]),
    left: () => query('select sent from identity.sms_days'),
    stays: [{ sent: 2 }],
  },
  'ordering.reminder_weeks': {
    fill: () =>
      query(`insert into ordering.reminder_weeks (week, last_user_id) values ($1, 1), ($2, 2)`, [
        daysAgo(32),
        daysAgo(28),
      ]),
    left: () => query('select last_user_id from ordering.reminder_weeks'),
    stays: [{ last_user_id: 2 }],
  },
})
