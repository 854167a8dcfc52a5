# The command rulesrun, for servers: docker run --rm -v "$PWD:/rules" rulesrun check game.rules
FROM python:3.12-slim
COPY . /opt/rulesrun
RUN pip install --no-cache-dir /opt/rulesrun
WORKDIR /rules
ENTRYPOINT ["rulesrun"]
