type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** One that is old, one that is young, and one that is old and named by an item; each has two rows. */
export const pictureCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: async () => {
    await query(
      `insert into catalogue.pictures (hash, width, height, bytes, needed_at)
       select repeat(letter, 32), width, 9, 'x', needed_at from unnest(array[320, 960]) width,
         unnest(array['a', 'b', 'c'], $1::timestamptz[]) as given (letter, needed_at)`,
      [[daysAgo(30.01), daysAgo(29.9), daysAgo(400)]],
    )
    await query(
      `update catalogue.menu_items set image_url = '/pictures/' || repeat('c', 32) || '-960x9.webp'
       where id = (select min(id) from catalogue.menu_items)`,
    )
  },
  left: () => query('select distinct left(hash, 1) as letter from catalogue.pictures order by 1'),
  stays: [{ letter: 'b' }, { letter: 'c' }],
})
