type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** Two that were only previewed and one that was applied later; the old one goes. */
export const promotionCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: () =>
    query(
      `insert into identity.promotions (id, rename, "previewedAt", "appliedAt") values
       (gen_random_uuid(), true, $1, null), (gen_random_uuid(), false, $2, null), (gen_random_uuid(), false, $1, $2)`,
      [daysAgo(30.01), daysAgo(29.9)],
    ),
  left: () => query('select rename from identity.promotions'),
  stays: [{ rename: false }, { rename: false }],
})
