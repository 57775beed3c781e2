/** Tells the outcome after the two endings that answer nothing; all endings work without it. */
export const sandboxScript = `
const form = document.querySelector('form')
const page = document.querySelector('#page')
const end = document.querySelector('#end')
const say = (title, text) => {
  end.querySelector('h1').textContent = title
  end.querySelector('p').textContent = text
  page.hidden = true
  end.hidden = false
  end.focus()
}
form.addEventListener('submit', async (event) => {
  const button = event.submitter
  if (button === null || !('said' in button.dataset)) return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, button))
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  if (answer !== null && answer.status === 204) say(button.dataset.title, button.dataset.said)
  else say('That did not work', 'The payment could not be reached or has ended already. Load the page again to see.')
})
`
