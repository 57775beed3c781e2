/** Makes, sorts and reads texts, as a page does; how long each round took, in ms. Runs in a page as well as here. */
export const calculation = (): number[] =>
  [1, 2, 3, 4, 5, 6, 7].map(() => {
    const begun = performance.now()
    const texts = Array.from({ length: 50_000 }, (_, index) => String((index * 7919) % 50_021))
    JSON.parse(JSON.stringify(texts.toSorted()))
    return performance.now() - begun
  })
