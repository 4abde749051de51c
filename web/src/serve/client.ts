/** Asks the server; whatever goes wrong is an error in words. */

export interface Job {
  readonly job: string;
  readonly state: "waiting" | "scoring" | "done" | "failed";
  readonly ahead?: number;
  readonly run?: number;
  readonly report?: string;
  readonly error?: string;
}

export interface Named {
  readonly file: string;
  readonly name: string;
}

export interface Asked {
  readonly key: Named;
  readonly responses: readonly Named[];
  readonly settings: Readonly<Record<string, string>>;
}

const FIRST_WAIT = 200;
const LONGEST_WAIT = 2000;
const GONE = "The server does not answer. Is it still running?";

export class Client {
  constructor(private readonly home: string) {}

  async send(file: File): Promise<string> {
    const sent = await this.ask<{ file: string }>("POST", "files", file);
    return sent.file;
  }

  add(asked: Asked): Promise<Job> {
    return this.ask("POST", "runs", JSON.stringify(asked));
  }

  addExample(): Promise<Job> {
    return this.ask("POST", "example");
  }

  async remove(address: string): Promise<void> {
    await this.ask("DELETE", address);
  }

  /** Wait for the end of a job, and say on the way how far it is. */
  async finished(job: Job, tell: (job: Job) => void): Promise<Job> {
    let now = job;
    for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 1.3)) {
      tell(now);
      if (now.state === "done") return now;
      if (now.state === "failed") throw new Error(now.error);
      await new Promise((go) => setTimeout(go, wait));
      now = await this.ask("GET", `jobs/${now.job}`);
    }
  }

  private async ask<Answer>(
    method: string,
    address: string,
    body: BodyInit | null = null,
  ): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(this.home + address, { method, body });
    } catch {
      throw new Error(GONE);
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) {
      throw new Error(answer.error ?? `The server answers ${response.status}.`);
    }
    return answer as Answer;
  }
}

export function stateInWords(job: Job): string {
  switch (job.state) {
    case "waiting":
      return job.ahead ? `Waiting: ${job.ahead} before this one.` : "Waiting.";
    case "scoring":
      return "Scoring, comparing, looking for errors.";
    default:
      return "Done.";
  }
}
