/** What was accepted of meals in conflict, and told of them: one whose day is long past, one of today. */
export const mealsInConflict = (
  query: (text: string, values?: unknown[]) => Promise<{ id: number }[]>,
  daysAgo: (days: number) => Date,
) => {
  const student = async (): Promise<number> => {
    const [made] = await query(
      `insert into identity.students ("userId", name, grade) values (1, 'Chipo', '4') returning id`,
    )
    return made!.id
  }
  return {
    'identity.acknowledged_meals': {
      fill: async () => {
        const studentId = await student()
        await query(
          `insert into identity.acknowledged_meals ("studentId", date, "itemId", allergens, by) values
           ($1, $2::timestamptz::date, 1, '{Milk}', 'family'), ($1, $3::timestamptz::date, 2, '{Milk}', 'family')`,
          [studentId, daysAgo(4), daysAgo(0)],
        )
      },
      left: () => query('select "itemId" from identity.acknowledged_meals'),
      stays: [{ itemId: 2 }],
    },
    'identity.conflicts_told': {
      fill: async () => {
        const studentId = await student()
        await query(
          `insert into identity.conflicts_told ("orderId", "itemId", allergen, "studentId", date) values
           ('old', 1, 'milk', $1, $2::timestamptz::date), ('young', 1, 'milk', $1, $3::timestamptz::date)`,
          [studentId, daysAgo(4), daysAgo(0)],
        )
      },
      left: () => query('select "orderId" from identity.conflicts_told'),
      stays: [{ orderId: 'young' }],
    },
  }
}
