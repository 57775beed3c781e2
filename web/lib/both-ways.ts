import type { Sorting } from './list-address'

const words = {
  text: ['A to Z', 'Z to A'],
  number: ['lowest first', 'highest first'],
  age: ['oldest first', 'newest first'],
} as const

/** Both orders by a key as choices: "Amount, lowest first" and "Amount, highest first". */
export const bothWays = <Key extends string>(
  sort: Key,
  label: string,
  kind: keyof typeof words,
): (Sorting<Key> & { label: string })[] => {
  const [up, down] = words[kind]
  return [
    { sort, direction: 'asc', label: `${label}, ${up}` },
    { sort, direction: 'desc', label: `${label}, ${down}` },
  ]
}
