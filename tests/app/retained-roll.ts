/** What stands of the school's roll: imports, codes, and children whom no account had when they left. */
export const rollRetention = (
  query: (text: string, values?: unknown[]) => Promise<{ id: number }[]>,
  daysAgo: (days: number) => Date,
) => {
  const pupil = async (name: string, leftAt: Date | null, userId: number | null = null): Promise<number> => {
    const [made] = await query(
      `insert into identity.students (name, grade, "onRollSince", "leftAt", "userId")
       values ($1, '4', $2, $3, $4) returning id`,
      [name, daysAgo(400), leftAt, userId],
    )
    return made!.id
  }
  const rollImport = (plan: string, createdAt: Date, appliedAt: Date | null) =>
    query(
      `insert into identity.roll_imports (id, "createdAt", file, plan, "appliedAt", done)
       values (gen_random_uuid(), $1, '{}', $2, $3, $4)`,
      [createdAt, plan, appliedAt, appliedAt && '[]'],
    )
  return {
    'identity.roll_imports': {
      fill: async () => {
        await rollImport('looked at', daysAgo(1.01), null)
        await rollImport('just looked at', daysAgo(0.9), null)
        await rollImport('applied', daysAgo(8), daysAgo(7.01))
        await rollImport('can be undone', daysAgo(8), daysAgo(6.9))
      },
      left: () => query('select plan from identity.roll_imports order by plan'),
      stays: [{ plan: 'can be undone' }, { plan: 'just looked at' }],
    },
    'identity.claim_codes': {
      fill: async () => {
        const old = await pupil('Luse', null)
        const young = await pupil('Mapalo', null)
        await query(`insert into identity.claim_codes values ($1, 'old', $2), ($3, 'young', $4)`, [
          old,
          daysAgo(0),
          young,
          daysAgo(-1),
        ])
      },
      left: () => query('select hash from identity.claim_codes'),
      stays: [{ hash: 'young' }],
    },
    'identity.students.unclaimed': {
      fill: async () => {
        await pupil('Left long ago', daysAgo(30.01))
        await pupil('Left of an account', daysAgo(400), 1)
        await pupil('Left lately', daysAgo(29.9))
        await pupil('Left not', null)
      },
      left: () => query(`select name from identity.students where name like 'Left%' order by name`),
      stays: [{ name: 'Left lately' }, { name: 'Left not' }, { name: 'Left of an account' }],
    },
  }
}
