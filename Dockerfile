# steerageway in a container: docker build -t steerageway . && docker run --rm steerageway run alpha --placement one --warp max
FROM python:3.12-slim
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir ".[plot,web]"
RUN useradd --create-home sailor
USER sailor
WORKDIR /home/sailor
ENTRYPOINT ["steerageway"]
CMD ["--help"]
