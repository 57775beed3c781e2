import type { Canteen } from '../ordering/canteen'

type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** One whose link expired long ago, and one of not so long ago. */
export const inviteCase = (
  canteen: Pick<Canteen, 'family'>,
  query: Query,
  daysAgo: (days: number) => Date,
) => ({
  fill: async () => {
    const { children, userId } = await canteen.family('inviting', '2')
    await query(
      `insert into identity.guardian_invites
         (id, "studentId", "invitedBy", email, "tokenHash", "invitedAt", "expiresAt") values
       (gen_random_uuid(), $1, $2, 'old@example.org', 'old', $3, $3),
       (gen_random_uuid(), $1, $2, 'young@example.org', 'young', $4, $4)`,
      [children[0]!.id, userId, daysAgo(30.01), daysAgo(29.9)],
    )
  },
  left: () => query('select "tokenHash" from identity.guardian_invites'),
  stays: [{ tokenHash: 'young' }],
})
