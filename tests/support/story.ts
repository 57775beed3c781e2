/** The tests of one file in an entry that shares the loaded modules with others: its hooks run around its own tests only. */
export const story = (name: string, load: () => unknown): void => {
  describe(name, () => void load())
}
