const gatherMs = 500

/** Merges similar warnings into one call of `say` with the first error and the count. */
export const throttledWarnings = (
  say: (first: unknown, times: number) => void,
): ((error: unknown) => void) => {
  let times = 0
  return (error) => {
    times += 1
    if (times > 1) return
    const tell = () => {
      say(error, times)
      times = 0
    }
    setTimeout(tell, gatherMs).unref()
  }
}
