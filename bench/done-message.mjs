/** What a server says when it is done: the agent's answer, nothing else to come. */
export function doneMessage(text) {
  const answer = Buffer.from(text);
  const body = Buffer.alloc(9 + answer.length);
  body.writeUInt32LE(answer.length, 5);
  answer.copy(body, 9);
  const message = Buffer.alloc(5 + body.length);
  message.write('D');
  message.writeUInt32LE(body.length, 1);
  body.copy(message, 5);
  return message;
}
