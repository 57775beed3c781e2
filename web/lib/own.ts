/** What stands under a key that came from outside: `constructor` and the like, which every object has, are none. */
export const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
