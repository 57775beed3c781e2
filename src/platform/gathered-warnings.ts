const gatherMs = 500

/** What happens to many at about the same time is said once: `say` is given the first error and how many there were. */
export const gatheredWarnings = (
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
