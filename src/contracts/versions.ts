import * as z from 'zod/mini'

/** In every record that a form is filled from; opaque, another one after each change. */
export const shownVersion = { version: z.string() }

/** Its write takes it: with another one than the record's nothing is changed; without it nothing is compared. */
export const givenVersion = { version: z.optional(z.string().check(z.maxLength(64))) }

/** In 409 `changed_meanwhile`: who changed the record last (null where nobody noted it), and the values that differ. */
export const changedMeanwhile = z.object({
  by: z.nullable(z.string()),
  at: z.nullable(z.iso.datetime()),
  version: z.string(),
  fields: z.array(z.object({ field: z.string(), now: z.unknown(), yours: z.unknown() })),
})
export type ChangedMeanwhile = z.infer<typeof changedMeanwhile>

type ListChange<Item> = { add?: Item[] | undefined; remove?: Item[] | undefined }

/** A list as a whole under its name, or what is added and taken away: then what others changed meanwhile stays as they left it. */
export const listWrite = <const Name extends string, Item extends z.ZodMiniType<string>>(
  name: Name,
  list: z.ZodMiniArray<Item>,
) => {
  const shape = { [name]: z.optional(list), add: z.optional(list), remove: z.optional(list), ...givenVersion }
  type Body = ListChange<z.infer<Item>> & { [Key in Name]?: z.infer<Item>[] | undefined } & {
    version?: string | undefined
  }
  return (z.object(shape) as unknown as z.ZodMiniType<Body, Body>).check(
    z.refine((body) => (body[name] === undefined) !== ((body.add ?? body.remove) === undefined), {
      message: 'Required',
      path: [name],
    }),
    z.refine(({ add = [], remove = [] }) => !add.some((one) => isAmong(remove, one)), {
      message: 'The same entry is added and taken away',
      path: ['add'],
    }),
  )
}

const isAmong = (list: readonly string[], one: string): boolean =>
  list.some((other) => other.trim().toLowerCase() === one.trim().toLowerCase())

/** The list after such a write. */
export const listAfter = <Item extends string>(
  before: readonly Item[],
  { whole, add = [], remove = [] }: ListChange<Item> & { whole?: readonly Item[] | undefined },
): Item[] => [
  ...(whole ?? before.filter((one) => !isAmong(remove, one))),
  ...add.filter((one) => !isAmong(before, one)),
]
